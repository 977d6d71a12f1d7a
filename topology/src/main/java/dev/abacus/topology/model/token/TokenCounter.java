package dev.abacus.topology.model.token;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Media;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the input tokens of requests as the requested model counts them. Used for context limits,
 * for reservations of tokens per minute, and for forecasts of prices. Thread-safe.
 *
 * <p>A text is counted once while it is in memory, so that the context guard, the rate limiter and
 * retries share the work.
 */
public final class TokenCounter {

  /** Tokens of a chat message around its text: start, role and end (OpenAI's ChatML). */
  private static final int PER_MESSAGE = 4;

  /** Tokens that begin the answer. */
  private static final int PER_REQUEST = 3;

  /** Texts of fewer characters are counted each time, which is faster than the cache. */
  private static final int MIN_CACHED = 200;

  private static final int MAX_SYSTEM_MESSAGES = 1000;

  private final ModelCatalogue catalogue;
  private final Map<String, Counter> counters = new ConcurrentHashMap<>();
  private final Counter unknown = new Counter(new BoundedTokenizer(new EstimatingTokenizer()), "");

  /** The counter of one model. */
  private static final class Counter {

    final Tokenizer tokenizer;
    final MediaTokens media;

    /** Counts of texts, by identity: two attempts of a call share their texts. */
    final LoadingCache<String, TokenCount> texts;

    /** Counts of what is equal for all documents of an operator. */
    final Cache<Instructions, TokenCount> instructions =
        Caffeine.newBuilder().maximumSize(MAX_SYSTEM_MESSAGES).build();

    Counter(Tokenizer tokenizer, String model) {
      this.tokenizer = tokenizer;
      this.media = new MediaTokens(ImageTokens.of(model));
      this.texts = Caffeine.newBuilder().weakKeys().build(tokenizer::count);
    }

    TokenCount text(String text) {
      return text.length() < MIN_CACHED
          ? tokenizer.count(text)
          : Objects.requireNonNull(texts.get(text));
    }

    TokenCount instructions(Instructions both) {
      return Objects.requireNonNull(
          instructions.get(
              both,
              _ -> {
                TokenCount system = tokenizer.count(both.system);
                return both.schema == null
                    ? system
                    : system.plus(tokenizer.count(both.schema.text()));
              }));
    }
  }

  /** The parts of a request that are equal for all documents of an operator. */
  private record Instructions(String system, @Nullable ResponseSchema schema) {}

  /**
   * A counter for the models of a catalogue. Vocabularies are loaded at their first use, but
   * tokenizers that cards name are checked here.
   *
   * @throws IllegalArgumentException if a card names a tokenizer that cannot be used
   */
  public static TokenCounter of(ModelCatalogue catalogue) {
    TokenCounter counter = new TokenCounter(catalogue);
    for (String name : catalogue.names()) {
      if (catalogue.get(name).tokenizer() != null) {
        counter.counter(name);
      }
    }
    return counter;
  }

  private TokenCounter(ModelCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  /** The catalogue whose models are known. */
  public ModelCatalogue catalogue() {
    return catalogue;
  }

  /**
   * The input tokens of a request: messages with their framing, response schema and files. For an
   * unknown model an estimate.
   */
  public TokenCount count(ModelRequest request) {
    return TokenCount.exact(PER_REQUEST + 2 * PER_MESSAGE)
        .plus(
            counter(request.model())
                .instructions(new Instructions(request.system(), request.responseSchema())))
        .plus(ofContent(request));
  }

  /** The tokens of the user message of a request: texts and files, without framing. */
  TokenCount ofContent(ModelRequest request) {
    Counter counter = counter(request.model());
    TokenCount sum = TokenCount.NONE;
    for (Content part : request.content()) {
      sum =
          sum.plus(
              switch (part) {
                case Content.Text(String text) -> counter.text(text);
                case Content.Attachment(Media media) -> counter.media.of(media);
              });
    }
    return sum;
  }

  /** The tokens of the sounds of a request. */
  public TokenCount ofSounds(ModelRequest request) {
    MediaTokens tokens = counter(request.model()).media;
    return request
        .media()
        .filter(media -> media.kind() == Media.Kind.AUDIO)
        .map(tokens::of)
        .reduce(TokenCount.NONE, TokenCount::plus);
  }

  /**
   * The least tokens of the texts of a request: without framing, files and the response schema,
   * which not every server puts into the prompt.
   */
  long leastOfTexts(ModelRequest request) {
    Counter counter = counter(request.model());
    return counter.instructions(new Instructions(request.system(), null)).low()
        + request.texts().mapToLong(text -> counter.text(text).low()).sum();
  }

  /** The tokens of a text for a model. */
  public TokenCount count(String model, String text) {
    return counter(model).text(text);
  }

  /** Loads the vocabulary of a model, which takes a second of processor time. */
  void load(String model) {
    var _ = counter(model).tokenizer.count("a");
  }

  /** How a model counts; equal for models with the same vocabulary. */
  public Tokenizer tokenizer(String model) {
    return counter(model).tokenizer;
  }

  /** Upper bound of the input tokens of a request, without counting. */
  public long bound(ModelRequest request) {
    MediaTokens tokens = counter(request.model()).media;
    ResponseSchema schema = request.responseSchema();
    return PER_REQUEST
        + 2 * PER_MESSAGE
        + boundOfTexts(request)
        + request.media().mapToLong(media -> tokens.of(media).high()).sum()
        + (schema == null ? 0 : Tokenizer.maxTokens(schema.text()));
  }

  /** Upper bound of {@link #leastOfTexts}, without counting. */
  long boundOfTexts(ModelRequest request) {
    return Tokenizer.maxTokens(request.system())
        + request.texts().mapToLong(Tokenizer::maxTokens).sum();
  }

  private Counter counter(String model) {
    ModelCard card = catalogue.find(model);
    return card == null
        ? unknown
        : counters.computeIfAbsent(model, name -> new Counter(Tokenizers.of(card), name));
  }
}
