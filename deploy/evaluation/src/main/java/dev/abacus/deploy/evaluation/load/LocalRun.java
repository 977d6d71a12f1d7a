package dev.abacus.deploy.evaluation.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.cli.Abacus;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A command of the command line in this process, such as {@code abacus run --local -o json}. */
public final class LocalRun {

  /** Exit code of a run with dead letters: a document that fails is a result of the run too. */
  private static final int DEAD_LETTERS = 3;

  private LocalRun() {}

  /**
   * Runs a command and returns the JSON that it prints.
   *
   * @throws IllegalStateException with its errors if it fails
   */
  public static JsonNode of(List<String> arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        Abacus.run(
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            arguments.toArray(String[]::new));
    try {
      if (exit == 0 || exit == DEAD_LETTERS) {
        return Json.read(out.toString().getBytes(StandardCharsets.UTF_8), JsonNode.class);
      }
      throw new IllegalStateException(
          "abacus %s ended with exit code %d: %s"
              .formatted(String.join(" ", arguments), exit, err));
    } catch (MalformedRecordException e) {
      throw new IllegalStateException("no JSON: " + out, e);
    }
  }
}
