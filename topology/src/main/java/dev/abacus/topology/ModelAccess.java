package dev.abacus.topology;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.answer.AnswerStore;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelInventory;
import dev.abacus.topology.model.ModelListener;
import dev.abacus.topology.model.ModelProvider;
import dev.abacus.topology.model.ReceiptedCalls;
import dev.abacus.topology.model.RequestEnd;
import dev.abacus.topology.model.Retries;
import dev.abacus.topology.model.RoutingModelClient;
import dev.abacus.topology.model.TieredModelClient;
import dev.abacus.topology.model.UninterruptedModelClient;
import dev.abacus.topology.model.WaitListener;
import dev.abacus.topology.model.admission.AdmissionController;
import dev.abacus.topology.model.admission.Caller;
import dev.abacus.topology.model.embedding.CachingEmbedder;
import dev.abacus.topology.model.embedding.EmbeddingCache;
import dev.abacus.topology.model.embedding.MiniLmEmbedder;
import dev.abacus.topology.model.media.MediaModelClient;
import dev.abacus.topology.model.media.MediaPolicy;
import dev.abacus.topology.model.openai.Endpoints;
import dev.abacus.topology.model.openai.OpenAiProvider;
import dev.abacus.topology.model.token.ContextGuard;
import dev.abacus.topology.model.token.TokenCounter;
import dev.abacus.topology.runtime.OpenCalls;
import dev.abacus.topology.spending.SpendingAccount;
import dev.abacus.topology.spending.SpendingMeter;
import dev.abacus.topology.telemetry.Tracing;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The models of a process, as one program calls them: the clients of all providers, with their
 * decorators in the right order. Each document adds a {@link ReceiptedCalls} in front of {@link
 * #client}.
 */
public final class ModelAccess {

  /** What all programs share. */
  private record Shared(
      ModelInventory inventory,
      TokenCounter tokens,
      ModelClient attempts,
      List<Embedder> embedders,
      EmbeddingCache cache,
      Retries retries,
      AdmissionController admission) {}

  /** What observes and bounds the calls for the documents of a program. */
  private record Live(
      SpendingMeter meter,
      ModelListener listener,
      OpenCalls.OfProgram calls,
      UnaryOperator<ModelClient> stored) {}

  /** Attempts that count in the open calls, a successful one until its receipt counts instead. */
  static ModelClient bounded(OpenCalls.OfProgram calls, ModelClient attempts) {
    return request -> {
      calls.start();
      ModelAnswer answer = null;
      try {
        answer = attempts.call(request);
        return answer;
      } finally {
        if (answer instanceof ModelAnswer.Success) {
          RequestEnd.then(calls::end);
        } else {
          calls.end();
        }
      }
    };
  }

  private final Shared shared;
  private final ModelClient client;
  private final ModelClient judgeClient;
  private final ModelClient sampleClient;
  private final Embedders embedders;
  private final Embedders sampleEmbedders;

  private ModelAccess(Shared shared, Caller live, Caller sample, @Nullable Live documents) {
    this.shared = shared;
    this.client = client(shared, live, documents);
    this.judgeClient = client(shared, sample, documents);
    this.sampleClient = client(shared, sample, null);
    this.embedders = embedders(shared, live, documents);
    this.sampleEmbedders = embedders(shared, sample, null);
  }

  /**
   * Connects to the models of a catalogue. A new provider is added here.
   *
   * @param endpoints addresses and keys of OpenAI-compatible models
   * @param admission decides when a call may start
   * @param listeners hear of every attempt
   * @param tracing makes a span of every attempt
   */
  public static ModelAccess of(
      ModelCatalogue catalogue,
      Endpoints endpoints,
      MediaPolicy media,
      Retries retries,
      AdmissionController admission,
      List<ModelListener> listeners,
      Tracing tracing) {
    EmbeddingCache cache = new EmbeddingCache(EmbeddingCache.DEFAULT_BYTES);
    List<ModelProvider> providers =
        List.of(
            new MiniLmEmbedder.Provider(cache), new OpenAiProvider(endpoints, admission::reported));
    ModelClient observed =
        new UninterruptedModelClient(new RoutingModelClient(catalogue, providers));
    for (ModelListener listener : listeners) {
      observed = listener.around(observed);
    }
    List<Embedder> embedders =
        catalogue.ofKind(ModelCard.Kind.EMBEDDING).stream()
            .flatMap(card ->
                Stream.ofNullable(ModelProvider.of(providers, card)).map(one -> one.embedder(card)))
            .map(embedder -> observed(embedder, listeners))
            .map(tracing::around)
            .toList();
    Shared shared =
        new Shared(
            new ModelInventory(catalogue, providers, InstantSource.system()),
            TokenCounter.of(catalogue),
            owned(new MediaModelClient(tracing.around(observed), media)),
            embedders,
            cache,
            retries,
            admission);
    return new ModelAccess(shared, Caller.live(""), Caller.sample(""), null);
  }

  private static Embedder observed(Embedder embedder, List<ModelListener> listeners) {
    Embedder observed = embedder;
    for (ModelListener listener : listeners) {
      observed = listener.around(observed);
    }
    return observed;
  }

  /** Attempts for work whose task this process owns. */
  private static ModelClient owned(ModelClient attempts) {
    return request -> {
      WaitListener.current().attempt();
      return attempts.call(request);
    };
  }

  /** Which models can be called, as far as is known without a call. */
  public ModelInventory inventory() {
    return shared.inventory();
  }

  /**
   * The same models, for the calls of one program: those of its documents within its account.
   *
   * @param calls bounds the calls of chat models of all programs whose answers are not recorded
   * @param tokens gets the tokens of every attempt for a document, of chat models, judges and
   *     embedding models; called by several threads
   * @param store has answers for documents; null for none
   */
  public ModelAccess forProgram(
      String program,
      SpendingAccount account,
      OpenCalls calls,
      Consumer<TokenCounts> tokens,
      @Nullable AnswerStore store) {
    SpendingMeter meter = new SpendingMeter(account, shared.tokens().catalogue(), shared.tokens());
    UnaryOperator<ModelClient> stored =
        store == null
            ? UnaryOperator.identity()
            : next -> store.around(next, program, account::isAffordable);
    // Hears of every attempt, also if the document of the call is cancelled.
    ModelListener attempts = (_, outcome) -> tokens.accept(outcome.tokens());
    Live live = new Live(meter, attempts, calls.ofProgram(), stored);
    return new ModelAccess(shared, Caller.live(program), Caller.sample(program), live);
  }

  private static ModelClient client(Shared shared, Caller caller, @Nullable Live live) {
    UnaryOperator<ModelClient> admission = next -> shared.admission().around(next, caller);
    ModelClient admitted =
        live == null
            ? admission.apply(shared.attempts())
            : live.meter()
                .around(
                    bounded(live.calls(), live.listener().around(shared.attempts())), admission);
    ModelClient guarded = new ContextGuard(shared.retries().around(admitted), shared.tokens());
    ModelClient tiered =
        new TieredModelClient(
            guarded, shared.tokens().catalogue(), InstantSource.system(), shared.retries());
    return live == null ? tiered : live.stored().apply(tiered);
  }

  private static Embedders embedders(Shared shared, Caller caller, @Nullable Live live) {
    UnaryOperator<Embedder> admission = next -> shared.admission().around(next, caller);
    return Embedders.of(
        shared.embedders().stream()
            .map(embedder ->
                live == null
                    ? admission.apply(embedder)
                    : live.meter().around(live.listener().around(embedder), admission))
            .map(shared.retries()::around)
            .<Embedder>map(embedder -> new CachingEmbedder(embedder, shared.cache()))
            .toList());
  }

  /**
   * The client of live documents. It answers from the answer store, if there is one, checks the
   * context, leaves a service tier without capacity, repeats accidental failures, waits until the
   * model may be called and the program may spend its cost, fetches images, reports every attempt,
   * and calls the model's provider. A call never ends in a fault of the provider.
   */
  public ModelClient client() {
    return client;
  }

  /** The client of judges of live outputs: as that of samples, and within the program's account. */
  public ModelClient judgeClient() {
    return judgeClient;
  }

  /**
   * The client of samples and their judges. Its calls are admitted after those of documents, and
   * end in a fault of the provider after {@link Caller#SAMPLE_PATIENCE}.
   */
  public ModelClient sampleClient() {
    return sampleClient;
  }

  /** The embedding models of the catalogue for documents, with cache and decorators. */
  public Embedders embedders() {
    return embedders;
  }

  /** How models count tokens. */
  public TokenCounter tokens() {
    return shared.tokens();
  }

  /** The embedding models for samples. */
  public Embedders sampleEmbedders() {
    return sampleEmbedders;
  }
}
