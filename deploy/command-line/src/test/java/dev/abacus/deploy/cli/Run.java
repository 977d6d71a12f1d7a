package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;

/** What a command line printed, and how it ended. */
public record Run(int exit, String out, String err) {

  /** Runs a command. */
  public static Run of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit = Abacus.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new Run(exit, out.toString(), err.toString());
  }

  /** Runs a command on a cluster. */
  public static Run on(String bootstrapServers, String... arguments) {
    return of(
        Stream.concat(Stream.of(arguments), Stream.of("--bootstrap-server", bootstrapServers))
            .toArray(String[]::new));
  }

  /** The printed JSON of a command that has not failed. */
  public JsonNode json() throws IOException {
    assertThat(exit).as(err).isZero();
    return new ObjectMapper().readTree(out);
  }

  List<String> errorLines() {
    return err.lines().toList();
  }
}
