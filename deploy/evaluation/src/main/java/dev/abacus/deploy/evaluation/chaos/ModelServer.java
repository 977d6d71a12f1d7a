package dev.abacus.deploy.evaluation.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.evaluation.chaos.judge.History.Call;
import dev.abacus.deploy.evaluation.chaos.judge.Shape;
import dev.abacus.deploy.evaluation.load.ScriptedEndpoint;
import dev.abacus.schemas.document.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An OpenAI-compatible endpoint with deterministic answers that logs every call. The first segment
 * of the path names the worker. A document names itself by {@code doc:PROGRAM:NUMBER;}, an
 * instruction its plan by {@code (plan MARKER)}; answers repeat both, so that the judge sees which
 * plan wrote a field.
 */
final class ModelServer extends ScriptedEndpoint {

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

  private static final int DIMENSIONS = 256;
  private static final Pattern DOCUMENT = Pattern.compile("doc:([a-z-]+):(\\d+);");
  private static final Pattern PLAN = Pattern.compile("\\(plan (\\d+)\\)");

  /** A filter drops the documents with this number modulo 3; without it those without outputs. */
  private static final Pattern DROPS = Pattern.compile("\\(drops (\\d)\\)");

  private static final int INPUT_TOKENS = 200;
  private static final int OUTPUT_TOKENS = 20;

  /** USD of one call of a model, by the prices of the built-in catalogue. */
  private static final Map<String, Double> USD =
      Map.of(
          "gpt-4o-mini", (INPUT_TOKENS * 0.15 + OUTPUT_TOKENS * 0.6) / 1e6,
          "gpt-4.1-nano", (INPUT_TOKENS * 0.1 + OUTPUT_TOKENS * 0.4) / 1e6,
          "gpt-5-nano", (INPUT_TOKENS * 0.05 + OUTPUT_TOKENS * 0.4) / 1e6);

  /** The tier of a request and of its answer, at half the price. */
  private static final String TIER = "service_tier";

  private static final String FLEX = "flex";

  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, Shape> shapes;
  private final Set<String> sampled;
  private final long latencyMillis;
  private final ConcurrentLinkedQueue<Call> calls = new ConcurrentLinkedQueue<>();
  private final AtomicLong requests = new AtomicLong();
  private volatile Mode mode = Mode.NORMAL;
  private volatile boolean flexRefused;

  private ModelServer(Map<String, Shape> shapes, Set<String> sampled, long latencyMillis)
      throws IOException {
    super(Stream.concat(USD.keySet().stream(), Stream.of(EMBEDDER)).toList());
    this.shapes = Map.copyOf(shapes);
    this.sampled = Set.copyOf(sampled);
    this.latencyMillis = latencyMillis;
  }

  /**
   * Starts an endpoint on a free port.
   *
   * @param shapes what each program must do, which the answers follow
   * @param sampled programs whose calls are samples if their instruction names no plan: two
   *     implementations may ask the same question
   * @param latencyMillis mean latency of a call
   */
  static ModelServer start(Map<String, Shape> shapes, Set<String> sampled, long latencyMillis)
      throws IOException {
    ModelServer models = new ModelServer(shapes, sampled, latencyMillis);
    models.start();
    return models;
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

  @Override
  protected @Nullable Reply answer(String path, byte[] request)
      throws IOException, InterruptedException {
    if (path.endsWith("/chat/completions")) {
      return chat(path.split("/", -1)[1], request);
    }
    if (path.endsWith("/embeddings")) {
      return new Reply(200, embeddings(json.readTree(request)));
    }
    return Reply.error(404, Map.of(), "not_found", "there is no " + path);
  }

  /** Equal texts have equal vectors; those of other texts are nearly orthogonal. */
  private ObjectNode embeddings(JsonNode request) {
    JsonNode input = request.path("input");
    ObjectNode response = json.createObjectNode().put("object", "list").put("model", EMBEDDER);
    ArrayNode data = response.putArray("data");
    for (JsonNode text : input.isArray() ? input : json.createArrayNode().add(input)) {
      ObjectNode entry = data.addObject().put("object", "embedding").put("index", data.size() - 1);
      ArrayNode vector = entry.putArray("embedding");
      new Random(text.asText().hashCode()).doubles(DIMENSIONS, -1, 1).forEach(vector::add);
    }
    response
        .putObject("usage")
        .put("prompt_tokens", INPUT_TOKENS)
        .put("total_tokens", INPUT_TOKENS);
    return response;
  }

  private @Nullable Reply chat(String worker, byte[] bytes)
      throws IOException, InterruptedException {
    long started = System.currentTimeMillis();
    long turn = requests.incrementAndGet();
    Mode now = mode;
    if (fails(now, turn)) {
      return failure(now);
    }
    ObjectNode request = (ObjectNode) json.readTree(bytes);
    // The tier is no part of what is asked: an answer at each is paid twice.
    boolean flex = request.path(TIER).asText().equals(FLEX);
    request.remove(TIER);
    if (flex && flexRefused) {
      return Reply.error(429, Map.of(), "resource_unavailable", "Resource unavailable");
    }
    String system = request.path("messages").path(0).toString();
    Matcher document = DOCUMENT.matcher(request.path("messages").toString());
    Matcher plan = PLAN.matcher(system);
    String program = document.find() ? document.group(1) : "";
    int number = program.isEmpty() ? -1 : Integer.parseInt(document.group(2));
    String model = request.path("model").asText();
    boolean planned = plan.find();
    boolean live = shapes.containsKey(program) && (planned || !sampled.contains(program));
    String marker = "plan=%s;model=%s;n=%d".formatted(planned ? plan.group(1) : "0", model, number);
    JsonNode schema = request.path("response_format").path("json_schema").path("schema");
    Matcher drops = DROPS.matcher(request.path("messages").toString());
    Boolean passes = drops.find() ? number % 3 != Integer.parseInt(drops.group(1)) : null;
    String answer =
        new Answer(shapes.get(program), number, marker, passes).of(schema, 0).toString();
    long wait = latencyMillis / 2 + turn * 7919 % Math.max(1, latencyMillis);
    Thread.sleep(now == Mode.SLOW ? 10 * wait : wait);
    // The provider counts an answer that it has finished, whether or not it can be delivered.
    calls.add(
        new Call(
            program,
            live ? number : -1,
            worker,
            Sha256.hex(12, request.toString().getBytes(StandardCharsets.UTF_8)),
            started,
            System.currentTimeMillis(),
            true,
            USD.getOrDefault(model, 0.0) * (flex ? 0.5 : 1)));
    Reply reply = Reply.completion("chatcmpl-" + turn, model, answer, INPUT_TOKENS, OUTPUT_TOKENS);
    if (flex) {
      ((ObjectNode) reply.body()).put(TIER, FLEX);
    }
    return reply;
  }

  /** Most calls fail, so that a circuit opens, and some do not; or 4 % of them are refused. */
  private static boolean fails(Mode mode, long turn) {
    return switch (mode) {
      case NORMAL, SLOW -> false;
      case SERVER_ERRORS, RATE_LIMIT, LOST_CONNECTIONS -> turn % 5 != 0;
      case SCATTERED_REFUSALS -> turn % 25 == 0;
    };
  }

  private static @Nullable Reply failure(Mode now) {
    Map<String, String> retryAfter = now == Mode.RATE_LIMIT ? Map.of("retry-after", "1") : Map.of();
    return switch (now) {
      case LOST_CONNECTIONS -> null;
      case RATE_LIMIT, SCATTERED_REFUSALS ->
          Reply.error(429, retryAfter, "rate_limit_exceeded", "Rate limit reached");
      case NORMAL, SLOW, SERVER_ERRORS ->
          Reply.error(503, Map.of(), "server_error", "The server is overloaded");
    };
  }

  /** Fills a response schema: texts hold the marker, truth values and lists follow the number. */
  private final class Answer {

    private final int outputs;
    private final String marker;
    private final boolean passes;

    Answer(@Nullable Shape shape, int number, String marker, @Nullable Boolean filtered) {
      this.outputs =
          shape instanceof Shape.PerDocument each && number >= 0 ? each.outputs(number) : 1;
      this.marker = marker;
      this.passes = filtered == null ? outputs > 0 : filtered;
    }

    JsonNode of(JsonNode schema, int item) {
      JsonNode type = schema.path("type");
      return switch (type.isArray() ? type.path(0).asText() : type.asText()) {
        case "object" -> {
          ObjectNode object = json.createObjectNode();
          schema
              .path("properties")
              .properties()
              .forEach(field -> object.set(field.getKey(), of(field.getValue(), item)));
          yield object;
        }
        case "array" -> {
          ArrayNode array = json.createArrayNode();
          for (int i = 0; i < outputs; i++) {
            array.add(of(schema.path("items"), i));
          }
          yield array;
        }
        case "boolean" -> json.getNodeFactory().booleanNode(passes);
        case "integer" -> json.getNodeFactory().numberNode(item);
        case "number" -> json.getNodeFactory().numberNode(1);
        default -> json.getNodeFactory().textNode(marker);
      };
    }
  }
}
