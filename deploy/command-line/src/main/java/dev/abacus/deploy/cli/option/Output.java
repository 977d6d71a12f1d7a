package dev.abacus.deploy.cli.option;

import dev.abacus.schemas.kafka.Json;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints data to standard output, as text or JSON, and notes to standard error. */
public final class Output {

  /** Format of data. */
  enum Format {
    TEXT,
    JSON
  }

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  private @Nullable Terminal terminal;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text or json (one line).")
  private Format format = Format.TEXT;

  public boolean json() {
    return format == Format.JSON;
  }

  /** Prints a line of data. */
  public void line(String text) {
    out().println(text);
    out().flush();
  }

  /** Prints a line of data, broken between words if the terminal is narrower. */
  public void wrapped(String text) {
    terminal().wrap(text).forEach(this::line);
  }

  /** What standard output can show. */
  public Terminal terminal() {
    Terminal known = terminal;
    if (known == null) {
      known = Terminal.detect();
      terminal = known;
    }
    return known;
  }

  /** Prints a value as one line of JSON. */
  public void value(Object value) {
    line(Json.tree(value).toString());
  }

  /** Prints the value in JSON format, else the text. */
  public void data(Object value, String text) {
    data(value, List.of(text));
  }

  /** Prints the value in JSON format, else the lines. */
  public void data(Object value, List<String> lines) {
    if (json()) {
      value(value);
    } else {
      lines.forEach(this::line);
    }
  }

  /** Prints a line to standard error. */
  public void note(String text) {
    err().println(text);
    err().flush();
  }

  /** Writer of data. */
  public PrintWriter out() {
    return Objects.requireNonNull(command).commandLine().getOut();
  }

  /** Writer of notes. */
  public PrintWriter err() {
    return Objects.requireNonNull(command).commandLine().getErr();
  }
}
