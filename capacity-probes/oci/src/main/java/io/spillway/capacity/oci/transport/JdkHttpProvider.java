package io.spillway.capacity.oci.transport;

import com.oracle.bmc.http.client.HttpClientBuilder;
import com.oracle.bmc.http.client.HttpProvider;
import com.oracle.bmc.http.client.Serializer;

/** The door that the SDK finds. */
public final class JdkHttpProvider implements HttpProvider {
  private static final Serializer JSON = new JacksonSerializer();

  @Override
  public HttpClientBuilder newBuilder() {
    return new JdkHttpClientBuilder(JSON);
  }

  @Override
  public Serializer getSerializer() {
    return JSON;
  }
}
