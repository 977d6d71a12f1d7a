package dev.abacus.deploy.evaluation.learning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.evaluation.load.ScriptedEndpoint;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint that gives the answers of a {@link Teacher}, at most so many a second, and counts its
 * calls by message.
 */
final class TeacherEndpoint extends ScriptedEndpoint {

  static final String MODEL = "gpt-4o-mini";
  static final String INTENT = "intent";

  private static final Pattern TEXT =
      Pattern.compile("<field name=\"text\">(.*?)</field>", Pattern.DOTALL);
  private static final int INPUT_TOKENS = 700;
  private static final int OUTPUT_TOKENS = 10;

  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, StreamMessage> byText = new HashMap<>();
  private final Teacher teacher;
  private final long nanosPerCall;
  private final AtomicLong next = new AtomicLong(System.nanoTime());
  private final AtomicLong calls = new AtomicLong();
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  /**
   * Creates an endpoint, which does not answer before its start.
   *
   * @param rate calls per second
   */
  TeacherEndpoint(Collection<StreamMessage> messages, Teacher teacher, double rate)
      throws IOException {
    super(List.of(MODEL));
    messages.forEach(message -> byText.put(message.text(), message));
    this.teacher = teacher;
    this.nanosPerCall = Math.round(1e9 / rate);
  }

  /** Calls so far, repeated ones included. */
  long calls() {
    return calls.get();
  }

  /** Ids of the messages that were asked about. */
  Set<String> asked() {
    return Set.copyOf(asked);
  }

  @Override
  protected Reply answer(String path, byte[] body) throws IOException, InterruptedException {
    StreamMessage message = message(json.readTree(body));
    if (message == null) {
      return Reply.error(400, Map.of(), "unknown", "no message of the stream is in the prompt");
    }
    long now = System.nanoTime();
    long turn = next.updateAndGet(free -> Math.max(free, now) + nanosPerCall);
    TimeUnit.NANOSECONDS.sleep(turn - now);
    calls.incrementAndGet();
    asked.add(message.id());
    String answer = json.createObjectNode().put(INTENT, teacher.answer(message)).toString();
    return Reply.completion("call", MODEL, answer, INPUT_TOKENS, OUTPUT_TOKENS);
  }

  private @Nullable StreamMessage message(JsonNode request) {
    for (JsonNode message : request.path("messages")) {
      JsonNode content = message.path("content");
      String text = content.isTextual() ? content.textValue() : content.findPath("text").asText();
      Matcher field = TEXT.matcher(text);
      if (field.find()) {
        return byText.get(
            field
                .group(1)
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&amp;", "&"));
      }
    }
    return null;
  }
}
