package io.spillway.capacity.testkit;

import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import java.net.URI;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * A provider's interface on the loopback address: WireMock, started once for all tests of a module,
 * whose {@code Date} header tells the test's time.
 */
public final class StubCloud {
  /** RFC 9110 wants two digits of the day, which the formatter of the JDK does not write. */
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static volatile Instant clock = Instant.EPOCH;

  private StubCloud() {}

  /** The server without stubs and without memory of requests, its clock at that time. */
  public static WireMockServer fresh(Instant time) {
    clock = time;
    Running.SERVER.resetAll();
    return Running.SERVER;
  }

  /** One more server of the kind, which remembers no request; for measurements, not for tests. */
  static WireMockServer another(ManyRegions regions) {
    WireMockServer server =
        new WireMockServer(configuration().extensions(regions).disableRequestJournal());
    server.start();
    return server;
  }

  private static WireMockConfiguration configuration() {
    return wireMockConfig()
        .bindAddress("127.0.0.1")
        .dynamicPort()
        .containerThreads(40)
        .extensions(new DateHeader());
  }

  /** Makes the tests' own server answer for those regions; for measurements. */
  static void spread(String region, List<String> regions) {
    Running.REGIONS.spread(region, regions);
  }

  /** Sets what its {@code Date} header says from now on. */
  public static void clock(Instant time) {
    clock = time;
  }

  /** Where it answers. */
  public static URI uri() {
    return URI.create("http://127.0.0.1:" + Running.SERVER.port());
  }

  /** An HTTP date, as {@code Retry-After} may have it. */
  public static String httpDate(Instant time) {
    return HTTP_DATE.format(time);
  }

  private static final class Running {
    static final ManyRegions REGIONS = new ManyRegions();
    static final WireMockServer SERVER = start();

    private static WireMockServer start() {
      WireMockServer server = new WireMockServer(configuration().extensions(REGIONS));
      server.start();
      return server;
    }
  }

  private static final class DateHeader implements ResponseDefinitionTransformerV2 {
    @Override
    public ResponseDefinition transform(ServeEvent event) {
      ResponseDefinition answer = event.getResponseDefinition();
      return answer.getFault() != null
          ? answer
          : ResponseDefinitionBuilder.like(answer)
              .but()
              .withHeader("Date", httpDate(clock))
              .build();
    }

    @Override
    public boolean applyGlobally() {
      return true;
    }

    @Override
    public String getName() {
      return "date-header";
    }
  }
}
