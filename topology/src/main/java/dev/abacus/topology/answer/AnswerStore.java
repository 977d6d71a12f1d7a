package dev.abacus.topology.answer;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.control.AnswerReuse;
import dev.abacus.schemas.document.Media;
import dev.abacus.topology.model.AnswerSerializer;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.RequestHash;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The answers that a worker knows, and its calls in flight. The answers are bounded by age and by
 * memory; the least used leave first.
 *
 * <p>A request is stored if its temperature is at most that of the settings and if it contains its
 * images: the image behind an address may change. The key of an answer consists of the model and a
 * hash of everything that determines the answer: the request, and what the model's card says of its
 * endpoint, name and generation. Thread-safe.
 */
public final class AnswerStore {

  /** Longest wait for {@link #complete}, from the creation of the store. */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  private static final int BYTES_PER_ENTRY = 300;

  /** Orders to clear a model that are remembered singly; a further one counts for all models. */
  private static final int MOST_CLEARS = 1_000;

  /** As {@link dev.abacus.schemas.kafka.KafkaNames#clearedAnswers}. */
  private static final String ALL = "*";

  /**
   * What the store keeps.
   *
   * @param maxAge of an answer
   * @param maxBytes of the answers in memory
   * @param maxTemperature of requests whose answers are stored, in [0, 2]
   */
  public record Settings(Duration maxAge, long maxBytes, double maxTemperature) {}

  /**
   * An answer.
   *
   * @param at epoch milliseconds
   */
  private record Entry(ModelAnswer.Success answer, int bytes, long at) {}

  private final Settings settings;
  private final Function<String, @Nullable String> models;
  private final Map<String, String> identities = new ConcurrentHashMap<>();
  private final InstantSource clock;
  private final AnswerLog log;
  private final Cache<String, Entry> answers;
  private final Map<String, AnswerFlight> flights = new ConcurrentHashMap<>();
  private final Map<String, AnswerReuse> reuse = new ConcurrentHashMap<>();

  /** Offset of the last order to clear, by what it clears; guarded by itself. */
  private final Map<String, Long> clears = new HashMap<>();

  private volatile long position;
  private final CountDownLatch complete = new CountDownLatch(1);
  private final long created = System.nanoTime();

  /**
   * An empty store.
   *
   * @param models identifies the endpoint, the name and the generation settings of a model; null
   *     for a model that is not known
   * @param clock gives the age of answers
   */
  public AnswerStore(
      Settings settings,
      Function<String, @Nullable String> models,
      InstantSource clock,
      AnswerLog log) {
    this.settings = settings;
    this.models = models;
    this.clock = clock;
    this.log = log;
    this.answers =
        Caffeine.newBuilder()
            .maximumWeight(settings.maxBytes())
            .weigher((String key, Entry entry) -> BYTES_PER_ENTRY + key.length() + entry.bytes())
            .expireAfterWrite(settings.maxAge())
            .executor(Runnable::run)
            .build();
  }

  /**
   * A client of a program that looks in the store before it calls.
   *
   * @param affordable whether the program may spend more now. If not, others do not wait for its
   *     calls; quick
   */
  public ModelClient around(ModelClient next, String program, BooleanSupplier affordable) {
    return new StoredAnswerClient(next, this, program, affordable);
  }

  /** The part of the store in the calls of a program, without that by operator. */
  public AnswerReuse reuse(String program) {
    return reuse.getOrDefault(program, AnswerReuse.NONE);
  }

  void count(String program, AnswerReuse more) {
    reuse.merge(program, more, AnswerReuse::plus);
  }

  /** Forgets the counts of a program. */
  public void forget(String program) {
    reuse.remove(program);
  }

  /** The key of a request; null if its answer is not stored. */
  @Nullable String key(ModelRequest request) {
    String model = identities.computeIfAbsent(request.model(), name -> hash(models.apply(name)));
    if (model.isEmpty()
        || request.options().temperature() > settings.maxTemperature()
        || request.content().stream().anyMatch(AnswerStore::mayChange)) {
      return null;
    }
    return ServiceTier.standard(request.model())
        + "/"
        + RequestHash.of(model + "\n" + RequestHash.of(request));
  }

  private static String hash(@Nullable String identity) {
    return identity == null ? "" : RequestHash.of(identity);
  }

  /**
   * Everything that a card says of the answers of its model, for the keys of the store.
   *
   * @param address of the endpoint; null if there is none
   */
  public static String identity(ModelCard card, @Nullable String address) {
    return String.join(
        "\n",
        String.valueOf(address),
        card.nameAtEndpoint(),
        card.query().toString(),
        card.headers().toString(),
        // The form of earlier versions, so that the answers that they stored are found.
        "Generation[maxOutputTokens=%s, reasoningEffort=%s, promptCacheKey=%s, promptCache=PromptCache[leastTokens=%s, stepTokens=%s, marks=%s], supports=%s]"
            .formatted(
                card.maxOutputTokens(),
                card.reasoningEffort(),
                card.promptCacheKey(),
                card.promptCacheLeastTokens(),
                card.promptCacheStepTokens(),
                card.promptCacheMarks(),
                card.supports()));
  }

  private static boolean mayChange(Content part) {
    return part instanceof Content.Attachment(Media.Reference(String uri, _))
        && !uri.startsWith("data:");
  }

  /** The answer under a key; null if there is none. Waits until the store is complete. */
  ModelAnswer.@Nullable Success find(String key) throws InterruptedException {
    if (complete.getCount() > 0) {
      long left = LONGEST_WAIT.toNanos() - (System.nanoTime() - created);
      boolean _ = complete.await(Math.max(0, left), TimeUnit.NANOSECONDS);
    }
    Entry entry = answers.getIfPresent(key);
    return entry == null || isTooOld(entry.at()) ? null : entry.answer();
  }

  private boolean isTooOld(long at) {
    return clock.millis() - at > settings.maxAge().toMillis();
  }

  /** The call in flight for a key, or {@code mine}, which then is in flight. */
  AnswerFlight join(String key, AnswerFlight mine) {
    AnswerFlight other = flights.putIfAbsent(key, mine);
    return other == null ? mine : other;
  }

  void leave(String key, AnswerFlight flight) {
    flights.remove(key, flight);
  }

  /** Offset of the next record of the log. */
  long position() {
    return position;
  }

  /** The log is read from here. */
  void startAt(long offset) {
    position = offset;
  }

  /**
   * Stores the answer of a call, unless an order to clear it came after the start of the call.
   *
   * @param started {@link #position} when the call started
   */
  void store(String key, ModelAnswer.Success answer, long started) {
    byte[] bytes = AnswerSerializer.write(answer);
    if (put(key, new Entry(answer, bytes.length, clock.millis()), started)) {
      log.write(key, bytes, started);
    }
  }

  private boolean put(String key, Entry entry, long started) {
    synchronized (clears) {
      boolean cleared =
          clears.entrySet().stream()
              .anyMatch(clear -> key.startsWith(clear.getKey()) && clear.getValue() >= started);
      if (!cleared) {
        answers.put(key, entry);
      }
      return !cleared;
    }
  }

  /** Removes an answer that is of no use, here and for all workers. */
  void discard(String key) {
    if (answers.asMap().remove(key) != null) {
      log.remove(key);
    }
  }

  /**
   * Takes a record of the log: an answer, a removed answer, or the order to clear answers.
   *
   * @param offset of the record
   * @param at time of the record, in epoch milliseconds
   * @param started position of the log when the call of the answer started. Its worker may not have
   *     read an order that lies between this position and the record
   */
  void apply(String key, byte @Nullable [] answer, long offset, long at, long started) {
    if (offset < position) {
      synchronized (clears) {
        clears.clear(); // The log was created anew, and has none of these orders.
      }
    }
    position = offset + 1;
    if (key.equals(ALL) || key.endsWith("/" + ALL)) {
      clear(key.substring(0, key.length() - ALL.length()), offset);
    } else if (answer == null) {
      answers.invalidate(key);
    } else if (!isTooOld(at)) {
      ModelAnswer.Success known = AnswerSerializer.read(answer);
      if (known != null) {
        boolean _ = put(key, new Entry(known, answer.length, at), started);
      }
    }
  }

  private void clear(String prefix, long offset) {
    synchronized (clears) {
      // An order of any name may be on the topic.
      clears.put(clears.size() < MOST_CLEARS ? prefix : "", offset);
      answers.asMap().keySet().removeIf(key -> key.startsWith(prefix));
    }
    flights.keySet().removeIf(key -> key.startsWith(prefix));
  }

  /** The log is read to its end. Until then, or at most ten seconds, requests wait. */
  public void complete() {
    complete.countDown();
  }

  /** Number of answers in memory. */
  public long size() {
    answers.cleanUp();
    return answers.estimatedSize();
  }
}
