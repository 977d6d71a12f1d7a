package dev.abacus.deploy.evaluation.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.Abacus;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The outcome of {@code abacus run --local -o json} in this process.
 *
 * @param summary the JSON that the command prints
 * @param results the lines of its results
 */
public record LocalRun(JsonNode summary, List<ObjectNode> results) {

  /** Exit code of a run with dead letters: a document that fails is a result of the run too. */
  private static final int DEAD_LETTERS = 3;

  /**
   * Runs a program over the files of a folder, as a data set writes them, on a local stack.
   *
   * @param references names of references, each with a file
   * @param speed of the simulated models; 1 is real time
   * @param more further arguments
   * @throws IllegalStateException with its errors if it fails
   */
  public static LocalRun of(
      Path folder, Collection<String> references, double speed, List<String> more) {
    List<String> arguments =
        new ArrayList<>(List.of("run", folder.resolve("program.yaml").toString(), "--local"));
    for (String name : List.of("documents", "validation", "answers", "results")) {
      arguments.addAll(List.of("--" + name, folder.resolve(name + ".jsonl").toString()));
    }
    for (String name : references) {
      arguments.addAll(List.of("--reference", name + "=" + folder.resolve(name + ".jsonl")));
    }
    arguments.addAll(List.of("--speed", String.valueOf(speed), "-o", "json"));
    arguments.addAll(more);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        Abacus.run(
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            arguments.toArray(String[]::new));
    try {
      if (exit == 0 || exit == DEAD_LETTERS) {
        return new LocalRun(
            Json.read(out.toString().getBytes(StandardCharsets.UTF_8), JsonNode.class),
            JsonLines.read(folder.resolve("results.jsonl"), line -> line.object().toJson()));
      }
      throw new IllegalStateException(
          "abacus %s ended with exit code %d: %s"
              .formatted(String.join(" ", arguments), exit, err));
    } catch (MalformedRecordException e) {
      throw new IllegalStateException("no JSON: " + out, e);
    }
  }
}
