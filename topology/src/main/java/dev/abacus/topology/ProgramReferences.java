package dev.abacus.topology;

import dev.abacus.schemas.control.ReferenceProgress;
import dev.abacus.schemas.kafka.ByteClients;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.Settings.Ordering;
import dev.abacus.schemas.supervision.ThreadHealth;
import dev.abacus.topology.live.DocumentCodec;
import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.embedding.BatchingEmbedder;
import dev.abacus.topology.operator.join.References;
import dev.abacus.topology.reference.ItemEmbedder;
import dev.abacus.topology.reference.ReferenceCollection;
import dev.abacus.topology.reference.feed.ReferenceFollower;
import dev.abacus.topology.reference.feed.ReferenceTopology;
import dev.abacus.topology.reference.feed.ReferenceWork;
import dev.abacus.topology.reference.index.AdaptiveIndex;
import dev.abacus.topology.runtime.FairScheduler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.StreamsConfig;
import org.jspecify.annotations.Nullable;

/**
 * The references of one program on this instance: embeds the items of its partitions, and reads the
 * embedded items of all partitions into memory.
 */
record ProgramReferences(
    Map<String, ReferenceCollection> collections,
    List<ReferenceFollower> followers,
    @Nullable StreamsApplication embedding)
    implements AutoCloseable {

  /** Items that one instance embeds concurrently; enough to fill batches. */
  private static final int IN_FLIGHT = 256;

  /** Consumers see a transaction after its commit; a change must be visible within a second. */
  private static final String COMMIT_INTERVAL_MS = "100";

  ProgramReferences {
    collections = Map.copyOf(collections);
    followers = List.copyOf(followers);
  }

  /**
   * Starts to embed and read the references of a program. Does nothing if it has none.
   *
   * @param onComplete called on any thread when a reference is read to its end
   * @throws KafkaException if a reference topic does not exist, or the cluster cannot be reached
   * @throws IllegalArgumentException if an embedder is not in the catalogue
   */
  static ProgramReferences open(Program program, WorkerContext worker, Runnable onComplete)
      throws InterruptedException {
    if (program.references().isEmpty()) {
      return new ProgramReferences(Map.of(), List.of(), null);
    }
    ensureTopics(program, worker.kafka());
    List<Embedder> embedders = embedders(program, worker);
    Map<String, ReferenceCollection> collections = new HashMap<>();
    List<ReferenceFollower> followers = new ArrayList<>();
    Path vectors = worker.state().vectors();
    ThreadHealth graphs =
        worker.streams().supervisor(program.name()).watch("vector graphs of " + program.name());
    try {
      Map<String, ReferenceWork> works = new HashMap<>();
      for (Reference reference : program.references()) {
        Source items =
            new Source(reference.name(), reference.topic(), reference.format(), reference.key());
        DocumentCodec codec = new DocumentCodec(program, items, worker.avro());
        ReferenceCollection collection =
            new ReferenceCollection(
                reference.name(),
                reference.key(),
                dimensions -> new AdaptiveIndex(dimensions, vectors, graphs));
        collections.put(reference.name(), collection);
        String embedded = worker.kafka().names().embedded(program.name(), reference.name());
        ReferenceFollower follower =
            new ReferenceFollower(
                consumer(worker.kafka()),
                reference.topic(),
                embedded,
                collection,
                worker.streams().supervisor(program.name()),
                onComplete);
        followers.add(follower);
        works.put(
            reference.name(),
            new ReferenceWork(
                reference.name(),
                embedded,
                codec,
                new ItemEmbedder(reference, collection, embedders),
                follower::isRestored));
      }
      return new ProgramReferences(
          collections, followers, embed(program, worker.streams(), embedders, works));
    } catch (RuntimeException | Error e) { // They are opened again.
      new ProgramReferences(collections, followers, null).close();
      throw e;
    }
  }

  private static StreamsApplication embed(
      Program program,
      StreamsServices streams,
      List<Embedder> embedders,
      Map<String, ReferenceWork> works) {
    // A new embedder must see all items, so its application has a name and offsets of its own.
    String names = String.join(",", embedders.stream().map(Embedder::name).sorted().toList());
    String application =
        streams.kafka().names().referenceApplication(program.name(), names.hashCode());
    Properties properties = streams.kafka().streamsProperties(application);
    properties.putIfAbsent(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_INTERVAL_MS);
    return new StreamsApplication(
            application,
            program.name(),
            streams,
            properties,
            StreamsApplication.Sleeping.NEVER,
            refused ->
                ReferenceTopology.of(
                    program,
                    works,
                    streams.kafka().settings(Ordering.KEY).withPendingBound(2 * IN_FLIGHT),
                    streams
                        .runtime()
                        .withRefused(refused)
                        .withScheduler(FairScheduler.inVirtualThreads(IN_FLIGHT))))
        .start();
  }

  private static void ensureTopics(Program program, WorkerKafka kafka) throws InterruptedException {
    for (Reference reference : program.references()) {
      int partitions = TopicSetup.partitions(kafka.admin(), reference.topic());
      if (partitions == 0) {
        throw new KafkaException(
            "the topic '%s' of reference '%s' does not exist; create it, compacted"
                .formatted(reference.topic(), reference.name()));
      }
      TopicSetup.ensure(
          kafka.admin(),
          List.of(
              TopicSpec.ofReference(kafka.names(), program, reference, partitions),
              TopicSpec.ofDeadLetters(kafka.names(), program, partitions)),
          kafka.replicationFactor());
    }
  }

  private static List<Embedder> embedders(Program program, WorkerContext worker) {
    List<Embedder> embedders = new ArrayList<>();
    for (String name : worker.kafka().config().getList(WorkerConfig.REFERENCE_EMBEDDERS)) {
      Embedder embedder = worker.models().access().embedders().find(name);
      if (embedder == null) {
        throw new IllegalArgumentException(
            "%s names '%s', which is not an embedding model of the catalogue"
                .formatted(WorkerConfig.REFERENCE_EMBEDDERS, name));
      }
      embedders.add(
          new BatchingEmbedder(
              embedder.forPurpose(
                  new CallPurpose(program.name(), "", CallPurpose.Kind.REFERENCES))));
    }
    return embedders;
  }

  private static KafkaConsumer<byte[], byte[]> consumer(WorkerKafka kafka) {
    Map<String, Object> properties = ByteClients.following(kafka.clientProperties());
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
    return ByteClients.consumer(properties);
  }

  /** The references, as operators search them. */
  References references() {
    return collections::get;
  }

  /** Whether each reference is read to the end that it had when it was opened. */
  boolean isComplete() {
    return followers.stream().allMatch(ReferenceFollower::isComplete);
  }

  /** The progress of the references that are not complete. */
  List<ReferenceProgress> progress() {
    return followers.stream()
        .filter(follower -> !follower.isComplete())
        .map(ReferenceFollower::progress)
        .toList();
  }

  /** Ends the application that embeds items. Searches go on. */
  void stopEmbedding() {
    if (embedding != null) {
      embedding.close();
    }
  }

  /** Call it after {@link #stopEmbedding} and after the operators that search have ended. */
  @Override
  public void close() {
    followers.forEach(ReferenceFollower::close);
    collections.values().forEach(ReferenceCollection::close);
  }
}
