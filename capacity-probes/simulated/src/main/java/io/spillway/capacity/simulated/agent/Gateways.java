package io.spillway.capacity.simulated.agent;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The control plane's addresses, {@code host:port}, with one connection each that all agents share.
 * Plain text: everything here is on the loopback interface. Only from the timeline.
 */
public final class Gateways implements AutoCloseable {
  private final Map<String, ManagedChannel> channels = new LinkedHashMap<>();
  private List<String> addresses;

  public Gateways(List<String> addresses) {
    this.addresses = List.copyOf(addresses);
  }

  /** Other addresses from now on; streams that are open stay. */
  public void move(List<String> to) {
    addresses = List.copyOf(to);
  }

  public List<String> addresses() {
    return addresses;
  }

  /** The channel to the n-th address, counted round. */
  ManagedChannel channel(int n) {
    String address = addresses.get(Math.floorMod(n, addresses.size()));
    ManagedChannel channel = channels.computeIfAbsent(address, Gateways::open);
    // The link has its own patience. Without this a server that was away for a while is not even
    // tried for up to two minutes after it is back.
    channel.resetConnectBackoff();
    return channel;
  }

  private static ManagedChannel open(String target) {
    int colon = target.lastIndexOf(':');
    return NettyChannelBuilder.forAddress(
            target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)))
        .usePlaintext()
        // Callbacks only hand over to the timeline.
        .directExecutor()
        .build();
  }

  @Override
  public void close() {
    List<ManagedChannel> open = new ArrayList<>(channels.values());
    open.forEach(ManagedChannel::shutdownNow);
  }
}
