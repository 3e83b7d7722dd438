package io.spillway.capacity.aws;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;

/**
 * GetProducts of the AWS Price List query API (JSON 1.1). It is the only call needed of that
 * service, so it is put together here, with the SDK's signer and HTTP client. Blocks; any thread.
 */
final class PriceList {
  /** One of the three regions that answer for all. */
  static final String REGION = "us-east-1";

  private static final String CALL = "AWSPriceListService.GetProducts";
  private static final URI PUBLIC = URI.create("https://api.pricing.us-east-1.amazonaws.com");
  private static final int PAGE = 100;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI endpoint;
  private final AwsCredentialsProvider credentials;
  private final SdkHttpClient http;

  PriceList(Optional<URI> endpoint, AwsCredentialsProvider credentials, SdkHttpClient http) {
    this.endpoint = endpoint.orElse(PUBLIC);
    this.credentials = credentials;
    this.http = http;
  }

  /**
   * Products, each in its JSON text.
   *
   * @param nextToken where the next page begins
   */
  record Page(List<String> products, Optional<String> nextToken) {}

  /**
   * A page of EC2's products.
   *
   * @param filters field and value; all must fit
   * @throws RuntimeException as the SDK's own clients fail
   */
  Page products(Map<String, String> filters, Optional<String> token) {
    byte[] body = body(filters, token);
    JsonNode answer = parsed(send(signed(body), body));
    if (!answer.path("PriceList").isArray()) {
      throw SdkClientException.create("the answer is not one of the price list");
    }
    List<String> products = new ArrayList<>();
    answer.path("PriceList").forEach(product -> products.add(product.asText()));
    return new Page(
        List.copyOf(products),
        Optional.of(answer.path("NextToken").asText("")).filter(text -> !text.isEmpty()));
  }

  private static byte[] body(Map<String, String> filters, Optional<String> token) {
    ObjectNode body = JSON.createObjectNode();
    body.put("ServiceCode", "AmazonEC2").put("FormatVersion", "aws_v1").put("MaxResults", PAGE);
    token.ifPresent(next -> body.put("NextToken", next));
    ArrayNode list = body.putArray("Filters");
    filters.forEach(
        (field, value) ->
            list.addObject().put("Type", "TERM_MATCH").put("Field", field).put("Value", value));
    return body.toString().getBytes(StandardCharsets.UTF_8);
  }

  private SignedRequest signed(byte[] body) {
    SdkHttpRequest request =
        SdkHttpRequest.builder()
            .uri(endpoint)
            .encodedPath("/")
            .method(SdkHttpMethod.POST)
            .putHeader("Content-Type", "application/x-amz-json-1.1")
            .putHeader("X-Amz-Target", CALL)
            .build();
    return AwsV4HttpSigner.create()
        .sign(
            sign ->
                sign.identity(credentials.resolveCredentials())
                    .request(request)
                    .payload(ContentStreamProvider.fromByteArray(body))
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "pricing")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, REGION));
  }

  private byte[] send(SignedRequest signed, byte[] body) {
    try {
      HttpExecuteResponse response =
          http.prepareRequest(
                  HttpExecuteRequest.builder()
                      .request(signed.request())
                      .contentStreamProvider(ContentStreamProvider.fromByteArray(body))
                      .build())
              .call();
      byte[] answer = read(response);
      if (!response.httpResponse().isSuccessful()) {
        throw refused(response, answer);
      }
      return answer;
    } catch (IOException e) {
      throw SdkClientException.create("the price list did not answer", e);
    }
  }

  private static byte[] read(HttpExecuteResponse response) throws IOException {
    if (response.responseBody().isEmpty()) {
      return new byte[0];
    }
    try (InputStream in = response.responseBody().get()) {
      byte[] answer = in.readNBytes(AnswerCheck.MAX_BYTES + 1);
      if (answer.length > AnswerCheck.MAX_BYTES) {
        throw SdkClientException.create(
            "the answer is longer than " + AnswerCheck.MAX_BYTES + " bytes");
      }
      return answer;
    }
  }

  private static AwsServiceException refused(HttpExecuteResponse response, byte[] answer) {
    String type = parsedOrEmpty(answer).path("__type").asText("");
    String code = type.substring(type.indexOf('#') + 1);
    return AwsServiceException.builder()
        .message("GetProducts was refused")
        .statusCode(response.httpResponse().statusCode())
        .awsErrorDetails(
            AwsErrorDetails.builder()
                .errorCode(code)
                .sdkHttpResponse(response.httpResponse())
                .build())
        .build();
  }

  private static JsonNode parsed(byte[] answer) {
    try {
      return JSON.readTree(answer);
    } catch (JsonProcessingException e) {
      throw SdkClientException.create("the price list's answer is no JSON", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode parsedOrEmpty(byte[] answer) {
    try {
      return JSON.readTree(answer);
    } catch (IOException e) {
      // What stands before a service may answer in its own words; the status says the rest.
      return JSON.createObjectNode();
    }
  }
}
