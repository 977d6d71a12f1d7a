package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.TokenCounts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A model with scripted answers. A call costs 0.01 USD and takes 0.5 seconds. */
public final class ScriptedModelClient implements ModelClient {

  /** The answer to one request. */
  @FunctionalInterface
  public interface Line {
    ModelAnswer answer(ModelRequest request);
  }

  private final Deque<Line> script = new ArrayDeque<>();
  private final List<ModelRequest> requests = new ArrayList<>();

  public ScriptedModelClient(Line... script) {
    this.script.addAll(List.of(script));
  }

  /** A client with the same answer to every request. */
  public static ScriptedModelClient always(Line line) {
    ScriptedModelClient client = new ScriptedModelClient();
    for (int i = 0; i < 1000; i++) {
      client.script.add(line);
    }
    return client;
  }

  public static Line say(String text) {
    return _ ->
        new ModelAnswer.Success(
            text, new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(10, 0, 1)), List.of());
  }

  public static Line fail(ModelFailure failure) {
    return _ -> new ModelAnswer.Failed(failure, new ExecutionStats(0.01, 0.5, 1));
  }

  /** The requests so far. */
  public synchronized List<ModelRequest> requests() {
    return List.copyOf(requests);
  }

  /** The text of a request's user message. */
  public static String words(ModelRequest request) {
    StringBuilder words = new StringBuilder();
    for (Content part : request.content()) {
      if (part instanceof Content.Text(String text)) {
        words.append(text).append('\n');
      }
    }
    return words.toString();
  }

  @Override
  public synchronized ModelAnswer call(ModelRequest request) {
    requests.add(request);
    Line line = script.poll();
    if (line == null) {
      throw new AssertionError("the script has no line left for " + request);
    }
    return line.answer(request);
  }
}
