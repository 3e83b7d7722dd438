package io.spillway.capacity.oci.transport;

import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.equalToJson;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.serverError;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.oracle.bmc.http.client.HttpClient;
import com.oracle.bmc.http.client.HttpProvider;
import com.oracle.bmc.http.client.HttpResponse;
import com.oracle.bmc.http.client.Method;
import com.oracle.bmc.http.client.StandardClientProperties;
import io.spillway.capacity.testkit.StubCloud;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class JdkHttpProviderTest {
  private final WireMockServer stub = StubCloud.fresh(Instant.parse("2026-11-30T12:00:00Z"));

  @Test
  void the_sdk_finds_it() {
    assertThat(HttpProvider.getDefault()).isInstanceOf(JdkHttpProvider.class);
  }

  @Test
  void interceptors_run_in_their_order_and_see_the_request_as_it_will_be_sent() {
    stub.stubFor(
        post(urlPathEqualTo("/v1/x509")).willReturn(okJson("{\"token\":\"t\",\"new\":1}")));
    List<String> seen = new ArrayList<>();
    try (HttpClient client =
        HttpProvider.getDefault()
            .newBuilder()
            .baseUri(StubCloud.uri())
            .registerRequestInterceptor(
                2, request -> seen.add("2 " + request.headers().get("X-One")))
            .registerRequestInterceptor(
                1,
                request -> {
                  seen.add("1 " + request.method() + ' ' + request.uri().getPath());
                  request.header("x-one", "a");
                })
            .build()) {
      HttpResponse answer =
          client
              .createRequest(Method.POST)
              .appendPathPart("/v1/")
              .appendPathPart("x509")
              .header("content-length", "7")
              .body(Map.of("purpose", "DEFAULT"))
              .execute()
              .toCompletableFuture()
              .join();

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body(Token.class).toCompletableFuture().join().token()).isEqualTo("t");
    }
    assertThat(seen).containsExactly("1 POST /v1/x509", "2 [a]");
    stub.verify(
        postRequestedFor(urlEqualTo("/v1/x509"))
            .withHeader("x-one", equalTo("a"))
            .withHeader("Content-Type", equalTo("application/json"))
            .withRequestBody(equalToJson("{\"purpose\":\"DEFAULT\"}")));
  }

  @Test
  void text_lists_and_failures_are_handed_on() {
    stub.stubFor(get(urlEqualTo("/opc/v2/identity/cert.pem?a=b")).willReturn(ok("PEM")));
    stub.stubFor(get("/list").willReturn(okJson("[{\"token\":\"a\"},{\"token\":\"b\"}]")));
    stub.stubFor(get("/broken").willReturn(serverError()));
    try (HttpClient client =
        HttpProvider.getDefault()
            .newBuilder()
            .baseUri(StubCloud.uri() + "/")
            .property(StandardClientProperties.READ_TIMEOUT, Duration.ofSeconds(5))
            .build()) {
      assertThat(
              client
                  .createRequest(Method.GET)
                  .appendPathPart("opc/v2/identity/cert.pem")
                  .query("a", "b")
                  .copy()
                  .execute()
                  .thenCompose(answer -> answer.body(String.class))
                  .toCompletableFuture()
                  .join())
          .isEqualTo("PEM");
      assertThat(
              client
                  .createRequest(Method.GET)
                  .appendPathPart("list")
                  .execute()
                  .thenCompose(answer -> answer.listBody(Token.class))
                  .toCompletableFuture()
                  .join())
          .extracting(Token::token)
          .containsExactly("a", "b");
      assertThat(
              client
                  .createRequest(Method.GET)
                  .appendPathPart("broken")
                  .execute()
                  .toCompletableFuture()
                  .join()
                  .status())
          .isEqualTo(500);
      client.updateEndpoint("http://127.0.0.1:1");
      assertThatThrownBy(
              () -> client.createRequest(Method.GET).execute().toCompletableFuture().join())
          .isInstanceOf(CompletionException.class)
          .satisfies(
              failure ->
                  assertThat(client.isProcessingException((Exception) failure.getCause()))
                      .isTrue());
    }
  }

  /** A model as the SDK has them. */
  private record Token(String token) {}
}
