package io.spillway.capacity.nebius;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.spillway.capacity.nebius.api.billing.CalculatorServiceGrpc;
import io.spillway.capacity.nebius.api.capacity.CapacityBlockGroupServiceGrpc;
import io.spillway.capacity.nebius.api.capacity.ResourceAdviceServiceGrpc;
import io.spillway.capacity.nebius.api.common.NotEnoughResources;
import io.spillway.capacity.nebius.api.common.QuotaFailure;
import io.spillway.capacity.nebius.api.common.ServiceError;
import io.spillway.capacity.nebius.api.common.TooManyRequests;
import io.spillway.capacity.nebius.api.iam.TokenExchangeServiceGrpc;
import io.spillway.capacity.testkit.StubCloud;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A real gRPC server that answers as {@link StubCloud} does: a call becomes {@code POST
 * /<service>/<method>} with the request as JSON, a body in the 200s the message, another status the
 * gRPC status that it stands for, with the words of {@code error.message} and the kind of details
 * in {@code error.detail}. A body that is no JSON is sent as it is; an empty one is a fault.
 */
final class GrpcStub {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Set<String> PASSED_ON = Set.of("date", "retry-after");
  private static final Metadata.Key<String> AUTHORIZATION = key("authorization");

  private static final Map<String, MethodDescriptor<?, ?>> METHODS =
      Stream.of(
              ResourceAdviceServiceGrpc.getListMethod(),
              CapacityBlockGroupServiceGrpc.getListMethod(),
              CalculatorServiceGrpc.getEstimateMethod(),
              TokenExchangeServiceGrpc.getExchangeMethod())
          .collect(Collectors.toMap(MethodDescriptor::getFullMethodName, method -> method));

  private static final Map<Integer, Status> STATUSES =
      Map.of(
          400, Status.INVALID_ARGUMENT,
          401, Status.UNAUTHENTICATED,
          403, Status.PERMISSION_DENIED,
          404, Status.NOT_FOUND,
          409, Status.ABORTED,
          412, Status.FAILED_PRECONDITION,
          429, Status.RESOURCE_EXHAUSTED,
          500, Status.INTERNAL,
          503, Status.UNAVAILABLE,
          504, Status.DEADLINE_EXCEEDED);

  private GrpcStub() {}

  /** Where it answers, in clear text. */
  static URI uri() {
    return URI.create("http://127.0.0.1:" + Running.SERVER.getPort());
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  private static final class Running {
    static final HttpClient HTTP = HttpClient.newHttpClient();
    static final Server SERVER = start();

    private static Server start() {
      try {
        return NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .fallbackHandlerRegistry(new AnyMethod())
            .build()
            .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class AnyMethod extends HandlerRegistry {
    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
      return ServerMethodDefinition.create(
          MethodDescriptor.<byte[], byte[]>newBuilder(new Bytes(), new Bytes())
              .setType(MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(name)
              .build(),
          handler(METHODS.get(name)));
    }

    private static ServerCallHandler<byte[], byte[]> handler(MethodDescriptor<?, ?> method) {
      return (call, headers) -> {
        call.request(1);
        return new ServerCall.Listener<>() {
          @Override
          public void onMessage(byte[] message) {
            forward(call, headers, method, message);
          }
        };
      };
    }
  }

  // Its result is the call's end.
  @SuppressWarnings("FutureReturnValueIgnored")
  private static void forward(
      ServerCall<byte[], byte[]> call,
      Metadata headers,
      MethodDescriptor<?, ?> method,
      byte[] message) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(StubCloud.uri().resolve("/" + method.getFullMethodName()))
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    json(prototype(method.getRequestMarshaller()), message)));
    String authorization = headers.get(AUTHORIZATION);
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    Running.HTTP
        .sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray())
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                call.close(Status.UNAVAILABLE.withDescription("io exception"), new Metadata());
              } else if (answer.statusCode() == 200) {
                answered(call, method, answer);
              } else {
                refused(call, answer);
              }
            });
  }

  private static void answered(
      ServerCall<byte[], byte[]> call, MethodDescriptor<?, ?> method, HttpResponse<byte[]> answer) {
    if (answer.body().length == 0) {
      call.close(Status.INTERNAL.withDescription("no message"), new Metadata());
      return;
    }
    call.sendHeaders(passedOn(answer));
    call.sendMessage(proto(prototype(method.getResponseMarshaller()), answer.body()));
    call.close(Status.OK, new Metadata());
  }

  private static void refused(ServerCall<byte[], byte[]> call, HttpResponse<byte[]> answer) {
    JsonNode error = error(answer.body());
    Status status =
        STATUSES
            .getOrDefault(answer.statusCode(), Status.UNKNOWN)
            .withDescription(error.path("message").asText());
    com.google.rpc.Status told =
        com.google.rpc.Status.newBuilder()
            .setCode(status.getCode().value())
            .setMessage(error.path("message").asText())
            .addDetails(Any.pack(detail(error.path("detail").asText())))
            .build();
    Metadata trailers = StatusProto.toStatusRuntimeException(told).getTrailers();
    trailers.merge(passedOn(answer));
    call.close(status, trailers);
  }

  private static ServiceError detail(String kind) {
    ServiceError.Builder error = ServiceError.newBuilder().setCode(kind);
    return switch (kind) {
      case "QuotaFailure" -> error.setQuotaFailure(QuotaFailure.getDefaultInstance()).build();
      case "NotEnoughResources" ->
          error.setNotEnoughResources(NotEnoughResources.getDefaultInstance()).build();
      case "TooManyRequests" ->
          error.setTooManyRequests(TooManyRequests.getDefaultInstance()).build();
      default -> error.build();
    };
  }

  private static JsonNode error(byte[] body) {
    try {
      return JSON.readTree(body).path("error");
    } catch (IOException e) {
      return JSON.createObjectNode();
    }
  }

  private static Metadata passedOn(HttpResponse<byte[]> answer) {
    Metadata headers = new Metadata();
    for (String name : PASSED_ON) {
      answer.headers().firstValue(name).ifPresent(value -> headers.put(key(name), value));
    }
    return headers;
  }

  private static Message prototype(MethodDescriptor.Marshaller<?> marshaller) {
    return (Message) ((PrototypeMarshaller<?>) marshaller).getMessagePrototype();
  }

  private static String json(Message prototype, byte[] message) {
    try {
      return JsonFormat.printer()
          .preservingProtoFieldNames()
          .print(prototype.newBuilderForType().mergeFrom(message));
    } catch (InvalidProtocolBufferException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] proto(Message prototype, byte[] body) {
    try {
      Message.Builder message = prototype.newBuilderForType();
      JsonFormat.parser()
          .ignoringUnknownFields()
          .merge(new String(body, StandardCharsets.UTF_8), message);
      return message.build().toByteArray();
    } catch (InvalidProtocolBufferException e) {
      return body;
    }
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
