package dev.abacus.deploy.evaluation.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.evaluation.chaos.judge.History.Call;
import dev.abacus.deploy.evaluation.chaos.judge.Shape;
import dev.abacus.deploy.simulator.InProcessModels.Timed;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.prompt.FieldShape;
import dev.abacus.deploy.simulator.provider.FlexTier;
import dev.abacus.deploy.simulator.wire.ApiException;
import dev.abacus.deploy.simulator.wire.ChatRequest;
import dev.abacus.deploy.simulator.wire.ChatResponse;
import dev.abacus.deploy.simulator.wire.ChatResponse.Usage;
import dev.abacus.deploy.simulator.wire.EmbeddingRequest;
import dev.abacus.deploy.simulator.wire.EmbeddingResponse;
import dev.abacus.schemas.document.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Models with deterministic answers that log every call, with an endpoint for each worker. A
 * document names itself by {@code doc:PROGRAM:NUMBER;}, an instruction its plan by {@code (plan
 * MARKER)}; answers repeat both, so that the judge sees which plan wrote a field.
 */
final class ModelServer implements AutoCloseable {

  /** How the provider behaves. */
  enum Mode {
    NORMAL,
    SERVER_ERRORS,
    RATE_LIMIT,
    LOST_CONNECTIONS,
    SLOW,
    SCATTERED_REFUSALS
  }

  /** The embedder for references. */
  static final String EMBEDDER = "text-embedding-3-small";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int DIMENSIONS = 256;
  private static final Pattern DOCUMENT = Pattern.compile("doc:([a-z-]+):(\\d+);");
  private static final Pattern PLAN = Pattern.compile("\\(plan (\\d+)\\)");

  /** A filter drops the documents with this number modulo 3; without it those without outputs. */
  private static final Pattern DROPS = Pattern.compile("\\(drops (\\d)\\)");

  /** The tokens of every call. */
  private static final Usage USAGE = new Usage(200, 0, 0, 20, 0);

  /** USD of one call of a model, by the prices of the built-in catalogue. */
  private static final Map<String, Double> USD =
      Map.of(
          "gpt-4o-mini", (USAGE.prompt() * 0.15 + USAGE.completion() * 0.6) / 1e6,
          "gpt-4.1-nano", (USAGE.prompt() * 0.1 + USAGE.completion() * 0.4) / 1e6,
          "gpt-5-nano", (USAGE.prompt() * 0.05 + USAGE.completion() * 0.4) / 1e6);

  /** The tier of a request and of its answer. */
  private static final String TIER = "service_tier";

  private static final SimulatorOptions OPTIONS =
      SimulatorOptions.DEFAULTS.withModels(
          Stream.concat(USD.keySet().stream(), Stream.of(EMBEDDER)).collect(Collectors.toSet()));

  private final Map<String, SimulatedEndpoint> endpoints = new TreeMap<>();
  private final Map<String, Shape> shapes;

  /**
   * Programs whose calls are samples if their instruction names no plan: two implementations may
   * ask the same question.
   */
  private final Set<String> sampled;

  private final long latencyMillis;
  private final ConcurrentLinkedQueue<Call> calls = new ConcurrentLinkedQueue<>();
  private final AtomicLong requests = new AtomicLong();
  private volatile Mode mode = Mode.NORMAL;
  private volatile boolean flexRefused;

  /**
   * Models without an endpoint yet.
   *
   * @param programs whose shapes the answers follow
   * @param latencyMillis mean latency of a call
   */
  ModelServer(List<ChaosPrograms> programs, long latencyMillis) {
    this.shapes = ChaosPrograms.shapes(programs);
    this.sampled = ChaosPrograms.draws(programs).keySet();
    this.latencyMillis = latencyMillis;
  }

  /** USD of one call of a model at the standard tier. */
  static double usd(String model) {
    return USD.getOrDefault(model, 0.0);
  }

  /** The base URL for the calls of a worker, by the name of its process. */
  URI baseUri(String worker) {
    return endpoints.computeIfAbsent(worker, this::start).baseUri();
  }

  private SimulatedEndpoint start(String worker) {
    try {
      return SimulatedEndpoint.scripted(
          OPTIONS, request -> chat(worker, request), ModelServer::embed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void behave(Mode next) {
    mode = next;
  }

  /** Sets whether calls at the tier flex are refused: there is no capacity for them. */
  void refuseFlex(boolean refused) {
    flexRefused = refused;
  }

  /** All calls so far. */
  List<Call> calls() {
    return List.copyOf(calls);
  }

  private static Timed embed(ObjectNode request) {
    EmbeddingRequest texts = EmbeddingRequest.of(request);
    List<float[]> vectors = texts.inputs().stream().map(ModelServer::vector).toList();
    return new Timed(EmbeddingResponse.of(texts, vectors, USAGE.prompt()), 0, 0);
  }

  /** Equal texts have equal vectors; those of other texts are nearly orthogonal. */
  private static float[] vector(String text) {
    Random random = new Random(text.hashCode());
    float[] vector = new float[DIMENSIONS];
    for (int i = 0; i < DIMENSIONS; i++) {
      vector[i] = random.nextFloat(-1, 1);
    }
    return vector;
  }

  private Timed chat(String worker, ObjectNode request) throws IOException, InterruptedException {
    long started = System.currentTimeMillis();
    long turn = requests.incrementAndGet();
    Mode now = mode;
    if (fails(now, turn)) {
      if (now == Mode.LOST_CONNECTIONS) {
        throw new IOException("the connection is lost");
      }
      throw failure(now);
    }
    // The tier is no part of what is asked: an answer at each is paid twice.
    boolean flex = FlexTier.isAsked(request);
    request.remove(TIER);
    if (flex && flexRefused) {
      throw ApiException.noCapacity();
    }
    String messages = request.path("messages").toString();
    Matcher document = DOCUMENT.matcher(messages);
    Matcher plan = PLAN.matcher(request.path("messages").path(0).toString());
    String program = document.find() ? document.group(1) : "";
    int number = program.isEmpty() ? -1 : Integer.parseInt(document.group(2));
    String model = request.path("model").asText();
    boolean planned = plan.find();
    boolean live = shapes.containsKey(program) && (planned || !sampled.contains(program));
    String marker = "plan=%s;model=%s;n=%d".formatted(planned ? plan.group(1) : "0", model, number);
    JsonNode schema = request.path("response_format").path("json_schema").path("schema");
    Matcher drops = DROPS.matcher(messages);
    Boolean passes = drops.find() ? number % 3 != Integer.parseInt(drops.group(1)) : null;
    String answer =
        new Answer(shapes.get(program), number, marker, passes)
            .of(FieldShape.of(schema), 0)
            .toString();
    long wait = latencyMillis / 2 + turn * 7919 % Math.max(1, latencyMillis);
    Thread.sleep(now == Mode.SLOW ? 10 * wait : wait);
    double usd = usd(model) * FlexTier.price(flex);
    // The provider counts an answer that it has finished, whether or not it can be delivered.
    calls.add(
        new Call(
            program,
            live ? number : -1,
            worker,
            Sha256.hex(12, request.toString().getBytes(StandardCharsets.UTF_8)),
            started,
            System.currentTimeMillis(),
            usd));
    ObjectNode completion =
        ChatResponse.of("chatcmpl-" + turn, ChatRequest.of(request), answer, USAGE);
    return new Timed(flex ? completion.put(TIER, FlexTier.TEXT) : completion, 0, usd);
  }

  /** Most calls fail, so that a circuit opens, and some do not; or 4 % of them are refused. */
  private static boolean fails(Mode mode, long turn) {
    return switch (mode) {
      case NORMAL, SLOW -> false;
      case SERVER_ERRORS, RATE_LIMIT, LOST_CONNECTIONS -> turn % 5 != 0;
      case SCATTERED_REFUSALS -> turn % 25 == 0;
    };
  }

  private static ApiException failure(Mode mode) {
    return switch (mode) {
      case RATE_LIMIT -> rateLimit(Map.of("retry-after", "1"));
      case SCATTERED_REFUSALS -> rateLimit(Map.of());
      case NORMAL, SLOW, SERVER_ERRORS, LOST_CONNECTIONS ->
          ApiException.serverError(503, "The server is overloaded");
    };
  }

  private static ApiException rateLimit(Map<String, String> headers) {
    return ApiException.rateLimit("requests", "Rate limit reached", headers);
  }

  @Override
  public void close() {
    endpoints.values().forEach(SimulatedEndpoint::close);
  }

  /** Fills a response schema: texts hold the marker, truth values and lists follow the number. */
  private static final class Answer {

    private final int outputs;
    private final String marker;
    private final boolean passes;

    Answer(@Nullable Shape shape, int number, String marker, @Nullable Boolean filtered) {
      this.outputs =
          shape instanceof Shape.PerDocument each && number >= 0 ? each.outputs(number) : 1;
      this.marker = marker;
      this.passes = filtered == null ? outputs > 0 : filtered;
    }

    JsonNode of(FieldShape shape, int item) {
      return switch (shape.type()) {
        case OBJECT -> shape.object((_, part) -> of(part, item));
        case ARRAY -> {
          ArrayNode array = JSON.arrayNode();
          for (int i = 0; i < outputs && shape.items() != null; i++) {
            array.add(of(shape.items(), i));
          }
          yield array;
        }
        case BOOLEAN -> JSON.booleanNode(passes);
        case INTEGER -> JSON.numberNode(item);
        case NUMBER -> JSON.numberNode(1);
        case STRING -> JSON.textNode(marker);
      };
    }
  }
}
