package dev.abacus.topology.stateful.time;

import dev.abacus.schemas.kafka.BinaryLayout;
import dev.abacus.topology.codec.Watermark;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The event time of a stateful operator: the minimum of the watermarks of its input channels. Idle
 * channels do not count; if all are idle, the maximum counts. Event time never decreases.
 *
 * <p>The state is kept in a store, because a channel does not repeat its last watermark when the
 * operator restarts.
 */
final class WatermarkTracker {

  /**
   * One task of the stage in front of an input.
   *
   * @param side index of the operator's input
   * @param number partition of the task
   */
  record Channel(int side, int number) {

    static final Serde<Channel> SERDE =
        new BinaryLayout<Channel>(
                "channel",
                (channel, to) -> {
                  to.writeByte(channel.side);
                  to.writeInt(channel.number);
                },
                from -> new Channel(from.readByte(), from.readInt()))
            .serde();
  }

  /**
   * What is known of a channel.
   *
   * @param time its largest watermark
   * @param idle whether its last watermark says that it is idle
   * @param operatorTime event time of the operator after that watermark
   */
  record ChannelState(long time, boolean idle, long operatorTime) {

    private static final ChannelState UNKNOWN =
        new ChannelState(EventTime.NONE, false, EventTime.NONE);

    static final Serde<ChannelState> SERDE =
        new BinaryLayout<ChannelState>(
                "state of a channel",
                (state, to) -> {
                  to.writeLong(state.time);
                  to.writeBoolean(state.idle);
                  to.writeLong(state.operatorTime);
                },
                from -> new ChannelState(from.readLong(), from.readBoolean(), from.readLong()))
            .serde();
  }

  private final KeyValueStore<Channel, ChannelState> store;
  private final Map<Channel, ChannelState> channels;
  private long current;

  private WatermarkTracker(
      KeyValueStore<Channel, ChannelState> store,
      Map<Channel, ChannelState> channels,
      long current) {
    this.store = store;
    this.channels = channels;
    this.current = current;
  }

  /**
   * Restores the state of the last commit.
   *
   * @param channels number of channels of each input
   */
  static WatermarkTracker restore(
      KeyValueStore<Channel, ChannelState> store, List<Integer> channels) {
    Map<Channel, ChannelState> states = new HashMap<>();
    for (int side = 0; side < channels.size(); side++) {
      for (int number = 0; number < channels.get(side); number++) {
        states.put(new Channel(side, number), ChannelState.UNKNOWN);
      }
    }
    long current = EventTime.NONE;
    try (KeyValueIterator<Channel, ChannelState> all = store.all()) {
      while (all.hasNext()) {
        KeyValue<Channel, ChannelState> next = all.next();
        states.put(next.key, next.value);
        current = Math.max(current, next.value.operatorTime());
      }
    }
    return new WatermarkTracker(store, states, current);
  }

  /** The event time: no earlier document is expected. {@link EventTime#NONE} at the beginning. */
  public long current() {
    return current;
  }

  /**
   * Takes the watermark of a channel.
   *
   * @return whether the event time of the operator increased
   */
  boolean update(int side, Watermark watermark) {
    Channel channel = new Channel(side, watermark.channel());
    long known = channels.getOrDefault(channel, ChannelState.UNKNOWN).time();
    long time = Math.max(known, watermark.time());
    channels.put(channel, new ChannelState(time, watermark.idle(), current));
    long before = current;
    current = Math.max(before, combined());
    store.put(channel, new ChannelState(time, watermark.idle(), current));
    return current > before;
  }

  private long combined() {
    return channels.values().stream()
        .filter(state -> !state.idle())
        .mapToLong(ChannelState::time)
        .min()
        .orElseGet(() ->
            channels.values().stream().mapToLong(ChannelState::time).max().orElse(EventTime.NONE));
  }
}
