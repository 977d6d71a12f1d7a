package dev.abacus.deploy.reference;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.live.DocumentCodec;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.embedding.BatchingEmbedder;
import dev.abacus.topology.operator.join.Candidate;
import dev.abacus.topology.reference.ItemEmbedder;
import dev.abacus.topology.reference.ReferenceCollection;
import dev.abacus.topology.reference.feed.ReferenceFollower;
import dev.abacus.topology.reference.feed.ReferenceTopology;
import dev.abacus.topology.reference.feed.ReferenceWork;
import dev.abacus.topology.reference.index.AdaptiveIndex;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.runtime.StreamsSettings;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;

/** One instance that follows the one reference of a program, and takes part in embedding it. */
final class FollowedReference implements AutoCloseable {

  private final ReferenceCollection collection;
  private final ReferenceFollower follower;
  private final KafkaStreams streams;

  private FollowedReference(
      ReferenceCollection collection, ReferenceFollower follower, KafkaStreams streams) {
    this.collection = collection;
    this.follower = follower;
    this.streams = streams;
  }

  static FollowedReference open(
      String bootstrapServers, Path state, Program program, CountingEmbedder embedder) {
    Reference reference = program.references().getFirst();
    ReferenceCollection collection =
        new ReferenceCollection(
            reference.name(),
            reference.key(),
            dimensions ->
                new AdaptiveIndex(
                    dimensions,
                    state.resolve("vectors"),
                    new Supervisor(RestartPolicy.standard(_ -> true), Clock.systemUTC())
                        .watch("graphs")));
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", bootstrapServers);
    properties.put("isolation.level", "read_committed");
    properties.put("enable.auto.commit", false);
    properties.put("max.poll.records", 5_000);
    ReferenceFollower follower =
        new ReferenceFollower(
            new KafkaConsumer<>(
                properties, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
            reference.topic(),
            KafkaNames.UNPREFIXED.embedded(program.name(), reference.name()),
            collection,
            new Supervisor(RestartPolicy.standard(_ -> true), Clock.systemUTC()),
            () -> {});
    Source items =
        new Source(reference.name(), reference.topic(), reference.format(), reference.key());
    ReferenceWork work =
        new ReferenceWork(
            reference.name(),
            KafkaNames.UNPREFIXED.embedded(program.name(), reference.name()),
            new DocumentCodec(program, items, null),
            new ItemEmbedder(reference, collection, List.of(new BatchingEmbedder(embedder))),
            follower::isRestored);
    RuntimeSettings settings = RuntimeSettings.defaults();
    KafkaStreams streams =
        new KafkaStreams(
            ReferenceTopology.of(
                program, Map.of(reference.name(), work), settings, RuntimeServices.of(256)),
            new StreamsSettings(
                    "abacus-fruit-shop-references",
                    bootstrapServers,
                    state.toString(),
                    1,
                    32L << 20,
                    settings.recordLimit(),
                    Map.of("auto.offset.reset", "earliest", "commit.interval.ms", "100"))
                .toProperties());
    streams.start();
    return new FollowedReference(collection, follower, streams);
  }

  boolean isComplete() {
    return follower.isComplete();
  }

  int size() {
    return collection.size();
  }

  /** The text of the item of that key, found by its vector; null if it is not found. */
  @Nullable String text(String key) {
    for (Candidate candidate : collection.candidates()) {
      if (candidate.item().id().equals(key)) {
        String text = candidate.item().document().get("text").asText();
        Embedding query = CountingEmbedder.of(text);
        List<Candidate> found = collection.nearest("counting", query, 1);
        return !found.isEmpty() && found.getFirst().similarity() > 0.999 ? text : null;
      }
    }
    return null;
  }

  @Override
  public void close() {
    // Otherwise the next instances wait until the session of this one times out.
    streams.close(
        CloseOptions.timeout(Duration.ofSeconds(60))
            .withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
    follower.close();
    collection.close();
  }
}
