package dev.abacus.deploy.cli.option;

import dev.abacus.schemas.kafka.Json;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a command prints: data on standard output, as text or JSON, and notes on standard error. */
public final class Output {

  /** How data is printed. */
  enum Format {
    TEXT,
    JSON
  }

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, or json: one line of JSON.")
  private Format format = Format.TEXT;

  public boolean json() {
    return format == Format.JSON;
  }

  /** A line of data. */
  public void line(String text) {
    out().println(text);
    out().flush();
  }

  /** A value as one line of JSON. */
  public void value(Object value) {
    line(Json.tree(value).toString());
  }

  /** One piece of data: the value where JSON is wanted, else the text. */
  public void data(Object value, String text) {
    data(value, List.of(text));
  }

  /** One piece of data: the value where JSON is wanted, else the lines. */
  public void data(Object value, List<String> lines) {
    if (json()) {
      value(value);
    } else {
      lines.forEach(this::line);
    }
  }

  /** A line for the reader, which is no data. */
  public void note(String text) {
    err().println(text);
    err().flush();
  }

  /** Where data goes. */
  public PrintWriter out() {
    return Objects.requireNonNull(command).commandLine().getOut();
  }

  /** Where notes go. */
  public PrintWriter err() {
    return Objects.requireNonNull(command).commandLine().getErr();
  }
}
