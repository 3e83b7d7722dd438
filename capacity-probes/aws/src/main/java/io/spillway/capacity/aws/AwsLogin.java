package io.spillway.capacity.aws;

import io.spillway.capacity.spi.AccountSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.StsClientBuilder;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;
import software.amazon.awssdk.services.sts.model.AssumeRoleRequest;

/**
 * Where an account's credentials come from: a key or a profile of the configuration, else the usual
 * chain (environment, web identity, profile, container, instance); a role is taken from there.
 * Resolving may ask the network and blocks, so it happens on the probe's own threads.
 */
final class AwsLogin implements AutoCloseable {
  private static final String SESSION = "spillway-probe";

  private final AwsCredentialsProvider credentials;
  private final List<AutoCloseable> open;

  private AwsLogin(AwsCredentialsProvider credentials, List<AutoCloseable> open) {
    this.credentials = credentials;
    this.open = open;
  }

  /**
   * @param account checked by {@link AwsSettings#check}
   * @param http for the role's service; stays the caller's
   */
  static AwsLogin of(AccountSettings account, SdkHttpClient http) {
    List<AutoCloseable> open = new ArrayList<>();
    AwsCredentialsProvider base = base(account.credentials());
    if (base instanceof AutoCloseable closeable) {
      open.add(closeable);
    }
    String role = account.credentials().get(AwsSettings.ROLE);
    return role == null
        ? new AwsLogin(base, open)
        : new AwsLogin(assumed(account, role, base, http, open), open);
  }

  AwsCredentialsProvider credentials() {
    return credentials;
  }

  private static AwsCredentialsProvider base(Map<String, String> keys) {
    if (keys.containsKey(AwsSettings.ACCESS_KEY)) {
      return StaticCredentialsProvider.create(key(keys));
    }
    if (keys.containsKey(AwsSettings.PROFILE)) {
      return ProfileCredentialsProvider.create(keys.get(AwsSettings.PROFILE));
    }
    return DefaultCredentialsProvider.builder().build();
  }

  private static AwsCredentials key(Map<String, String> keys) {
    String id = keys.get(AwsSettings.ACCESS_KEY);
    String secret = keys.get(AwsSettings.SECRET_KEY);
    String token = keys.get(AwsSettings.SESSION_TOKEN);
    return token == null
        ? AwsBasicCredentials.create(id, secret)
        : AwsSessionCredentials.create(id, secret, token);
  }

  private static AwsCredentialsProvider assumed(
      AccountSettings account,
      String role,
      AwsCredentialsProvider base,
      SdkHttpClient http,
      List<AutoCloseable> open) {
    StsClientBuilder builder =
        StsClient.builder()
            .httpClient(http)
            .credentialsProvider(base)
            .region(
                Region.of(
                    account.regions().isEmpty() ? "us-east-1" : account.regions().getFirst()));
    account.endpoint().ifPresent(builder::endpointOverride);
    StsClient sts = builder.build();
    AssumeRoleRequest.Builder request =
        AssumeRoleRequest.builder().roleArn(role).roleSessionName(SESSION);
    String externalId = account.credentials().get(AwsSettings.EXTERNAL_ID);
    if (externalId != null) {
      request.externalId(externalId);
    }
    StsAssumeRoleCredentialsProvider provider =
        StsAssumeRoleCredentialsProvider.builder()
            .stsClient(sts)
            .refreshRequest(request.build())
            .build();
    open.addFirst(sts);
    open.addFirst(provider);
    return provider;
  }

  @Override
  public void close() {
    for (AutoCloseable part : open) {
      try {
        part.close();
      } catch (Exception e) {
        throw new IllegalStateException("a credentials provider could not be closed", e);
      }
    }
  }
}
