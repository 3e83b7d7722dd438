package io.spillway.capacity.testkit;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.common.Json;
import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.extension.requestfilter.RequestFilterAction;
import com.github.tomakehurst.wiremock.extension.requestfilter.RequestWrapper;
import com.github.tomakehurst.wiremock.extension.requestfilter.StubRequestFilterV2;
import com.github.tomakehurst.wiremock.http.Body;
import com.github.tomakehurst.wiremock.http.Request;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Makes an interface that is written for one region answer for many: whoever asks for some of them
 * has the answer of the one, told of those; whoever asks for none has in each list, for every row
 * about the one, a row about each. For measurements, not for tests. Any thread.
 */
final class ManyRegions implements StubRequestFilterV2, ResponseDefinitionTransformerV2 {
  private static final String ASKED = "Spillway-Test-Regions";

  private volatile String home = "";
  private volatile List<String> all = List.of();

  /**
   * @param region that the stubs know
   * @param regions that they answer for, that one among them; no name contains another
   */
  void spread(String region, List<String> regions) {
    home = region;
    all = List.copyOf(regions);
  }

  @Override
  public RequestFilterAction filter(Request request, ServeEvent event) {
    if (all.isEmpty()) {
      return RequestFilterAction.continueWith(request);
    }
    // EC2's calls of all regions look alike but for what they are signed for.
    String signed = String.valueOf(request.getHeader("Authorization"));
    String text = request.getUrl() + ' ' + request.getBodyAsString() + ' ' + signed;
    List<String> asked = all.stream().filter(text::contains).toList();
    UnaryOperator<String> known =
        words -> {
          String told = words;
          for (String region : asked) {
            told = told.replace(region, home);
          }
          return told;
        };
    return RequestFilterAction.continueWith(
        RequestWrapper.create()
            .transformAbsoluteUrl(known::apply)
            .transformBody(
                body ->
                    new Body(
                        known
                            .apply(new String(body.asBytes(), StandardCharsets.UTF_8))
                            .getBytes(StandardCharsets.UTF_8)))
            .transformHeader("Authorization", words -> words.stream().map(known).toList())
            .addHeader(ASKED, String.join(",", asked))
            .wrap(request));
  }

  @Override
  public ResponseDefinition transform(ServeEvent event) {
    ResponseDefinition answer = event.getResponseDefinition();
    String body = answer.getFault() == null ? answer.getTextBody() : null;
    if (all.isEmpty() || body == null || !body.contains(home)) {
      return answer;
    }
    String header = event.getRequest().getHeader(ASKED);
    List<String> asked = header == null || header.isEmpty() ? all : List.of(header.split(","));
    String told =
        asked.size() == 1
            ? body.replace(home, asked.getFirst())
            : Json.write(spread(Json.read(body, Object.class), asked));
    return ResponseDefinitionBuilder.like(answer).but().withBody(told).build();
  }

  private Object spread(Object node, List<String> regions) {
    if (node instanceof List<?> list) {
      List<Object> rows = new ArrayList<>();
      for (Object row : list) {
        if (isAbout(row)) {
          regions.forEach(region -> rows.add(told(row, region)));
        } else {
          rows.add(spread(row, regions));
        }
      }
      return rows;
    }
    if (node instanceof Map<?, ?> map) {
      Map<String, Object> fields = new LinkedHashMap<>();
      map.forEach(
          (key, value) -> {
            String name = key.toString();
            if (name.contains(home)) {
              regions.forEach(
                  region -> fields.put(name.replace(home, region), told(value, region)));
            } else {
              fields.put(name, spread(value, regions));
            }
          });
      return fields;
    }
    return node;
  }

  /** Whether it names the region outside of lists of its own. */
  private boolean isAbout(Object row) {
    return switch (row) {
      case String text -> text.contains(home);
      case Map<?, ?> map -> map.values().stream().anyMatch(this::isAbout);
      case null, default -> false;
    };
  }

  private Object told(Object row, String region) {
    return Json.read(Json.write(row).replace(home, region), Object.class);
  }

  @Override
  public boolean applyGlobally() {
    return true;
  }

  @Override
  public String getName() {
    return "many-regions";
  }
}
