package io.spillway.capacity.aws;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.ProbeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.client.config.SdkAdvancedAsyncClientOption;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.ec2.Ec2AsyncClient;
import software.amazon.awssdk.services.ec2.Ec2AsyncClientBuilder;

/**
 * The SDK's clients of one account: one of EC2 for each region over one connection pool, and the
 * price list. No account waits for another. Opened at first use; closing closes all of it. Any
 * thread.
 */
final class AwsClients implements AutoCloseable {
  /** Of one call with its second try. */
  private static final Duration CALL = Duration.ofSeconds(12);

  private static final Duration ATTEMPT = Duration.ofSeconds(8);
  private static final Duration SKEW_WORTH_TELLING = Duration.ofSeconds(30);
  private static final Duration CONNECT = Duration.ofSeconds(3);

  private final AccountSettings account;
  private final AwsLogin login;
  private final AwsThreads threads;
  private final SdkAsyncHttpClient http;
  private final AnswerCheck check = new AnswerCheck();
  private final Map<String, Ec2AsyncClient> regions = new ConcurrentHashMap<>();
  private final SdkHttpClient blocking;
  private final PriceList prices;

  AwsClients(AccountSettings account) {
    this.account = account;
    this.blocking =
        UrlConnectionHttpClient.builder().connectionTimeout(CONNECT).socketTimeout(ATTEMPT).build();
    this.login = AwsLogin.of(account, blocking);
    this.prices = new PriceList(account.endpoint(), login.credentials(), blocking);
    this.threads = AwsThreads.use();
    this.http =
        NettyNioAsyncHttpClient.builder()
            .eventLoopGroup(threads.connections())
            .connectionTimeout(CONNECT)
            .readTimeout(ATTEMPT)
            .build();
  }

  /**
   * Finds the credentials, so that one failure stands for all regions. May ask the network.
   *
   * @throws ProbeException when there are none
   */
  void logIn() throws ProbeException {
    try {
      login.credentials().resolveCredentials();
    } catch (RuntimeException e) {
      throw AwsFaults.of("credentials", e).failure();
    }
  }

  Ec2AsyncClient ec2(String region) {
    return regions.computeIfAbsent(region, name -> built(Region.of(name)));
  }

  /**
   * How far EC2's clock is before this one, where that is worth telling: a signature is refused at
   * five minutes.
   */
  Optional<Duration> clockAhead(Instant now, Patience patience) {
    return check
        .heard()
        .map(heard -> Duration.between(now.plus(patience.spentAt(heard.at())), heard.date()))
        .filter(ahead -> ahead.abs().compareTo(SKEW_WORTH_TELLING) > 0);
  }

  PriceList prices() {
    return prices;
  }

  private Ec2AsyncClient built(Region region) {
    Ec2AsyncClientBuilder builder = Ec2AsyncClient.builder();
    account.endpoint().ifPresent(builder::endpointOverride);
    return builder
        .region(region)
        .credentialsProvider(login.credentials())
        .httpClient(http)
        .asyncConfiguration(
            async ->
                // Answers are small and read by whoever waits for them.
                async.advancedOption(
                    SdkAdvancedAsyncClientOption.FUTURE_COMPLETION_EXECUTOR, Runnable::run))
        .overrideConfiguration(
            ClientOverrideConfiguration.builder()
                .scheduledExecutorService(threads.timer())
                .apiCallTimeout(CALL)
                .apiCallAttemptTimeout(ATTEMPT)
                .addExecutionInterceptor(check)
                .retryStrategy(
                    StandardRetryStrategy.builder()
                        .maxAttempts(2)
                        .retryOnException(AwsFaults::worthASecondTry)
                        .build())
                .build())
        .build();
  }

  @Override
  public void close() {
    regions.values().forEach(Ec2AsyncClient::close);
    http.close();
    threads.close();
    login.close();
    blocking.close();
  }
}
