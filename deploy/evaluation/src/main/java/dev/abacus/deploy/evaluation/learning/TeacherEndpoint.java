package dev.abacus.deploy.evaluation.learning;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.InProcessModels.Timed;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.wire.ApiException;
import dev.abacus.deploy.simulator.wire.ChatRequest;
import dev.abacus.deploy.simulator.wire.ChatResponse;
import java.io.IOException;
import java.net.URI;
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

/**
 * An endpoint that gives the answers of a {@link Teacher}, at most so many a second, and counts its
 * calls by message.
 */
final class TeacherEndpoint implements AutoCloseable {

  static final String MODEL = "gpt-4o-mini";
  static final String INTENT = "intent";

  private static final Pattern TEXT =
      Pattern.compile("<field name=\"text\">(.*?)</field>", Pattern.DOTALL);
  private static final ChatResponse.Usage USAGE = new ChatResponse.Usage(700, 0, 0, 10, 0);

  private final Map<String, StreamMessage> byText = new HashMap<>();
  private final Teacher teacher;
  private final long nanosPerCall;
  private final AtomicLong next = new AtomicLong(System.nanoTime());
  private final AtomicLong calls = new AtomicLong();
  private final Set<String> asked = ConcurrentHashMap.newKeySet();
  private final SimulatedEndpoint http;

  /**
   * Starts an endpoint.
   *
   * @param rate calls per second
   */
  TeacherEndpoint(Collection<StreamMessage> messages, Teacher teacher, double rate)
      throws IOException {
    messages.forEach(message -> byText.put(message.text(), message));
    this.teacher = teacher;
    this.nanosPerCall = Math.round(1e9 / rate);
    this.http =
        SimulatedEndpoint.scripted(
            SimulatorOptions.DEFAULTS.withModels(Set.of(MODEL)), this::answer, this::answer);
  }

  /** The base URL. */
  URI baseUri() {
    return http.baseUri();
  }

  /** Calls so far, repeated ones included. */
  long calls() {
    return calls.get();
  }

  /** Ids of the messages that were asked about. */
  Set<String> asked() {
    return Set.copyOf(asked);
  }

  private Timed answer(ObjectNode json) throws InterruptedException {
    ChatRequest request = ChatRequest.of(json);
    Matcher field = TEXT.matcher(request.text(List.of("user")));
    StreamMessage message = field.find() ? byText.get(field.group(1)) : null;
    if (message == null) {
      throw ApiException.invalid("no message of the stream is in the prompt", null, null);
    }
    long now = System.nanoTime();
    long turn = next.updateAndGet(free -> Math.max(free, now) + nanosPerCall);
    TimeUnit.NANOSECONDS.sleep(turn - now);
    calls.incrementAndGet();
    asked.add(message.id());
    ObjectNode answer = JsonNodeFactory.instance.objectNode().put(INTENT, teacher.answer(message));
    return new Timed(ChatResponse.of("call", request, answer.toString(), USAGE), 0, 0);
  }

  @Override
  public void close() {
    http.close();
  }
}
