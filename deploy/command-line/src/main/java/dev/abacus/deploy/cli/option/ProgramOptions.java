package dev.abacus.deploy.cli.option;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicCheck;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for parsing programs: the model catalogue. */
public class ProgramOptions {

  @Option(
      names = "--models",
      paramLabel = "FILE",
      description = "File that adds models to the catalogue: a JSON list of model cards.")
  private @Nullable Path models;

  /** The file of additional models; null if none. */
  public @Nullable Path modelsFile() {
    return models;
  }

  /**
   * The model catalogue, including additional models.
   *
   * @throws CommandFailure if the file of additional models is invalid
   */
  public ModelCatalogue catalogue() {
    ModelCatalogue builtIn = ModelCatalogue.builtIn();
    return CommandFailure.checked(
        () -> models == null ? builtIn : builtIn.extendedBy(models),
        "Correct the file that --models names.");
  }

  /**
   * Parses a program file, YAML or JSON.
   *
   * @throws CommandFailure with every error in it
   */
  public Program read(Path file) {
    String text = text(file);
    try {
      return new ProgramParser(catalogue()).parse(text);
    } catch (InvalidTextException e) {
      List<String> lines = text.lines().toList();
      String mistakes =
          e.problems().stream()
              .map(problem -> file + ", " + problem + excerpt(problem, lines))
              .collect(Collectors.joining(System.lineSeparator() + "error: "));
      throw CommandFailure.invalid(
          mistakes,
          e.problems().size() == 1
              ? "Correct it; `abacus validate` checks again."
              : "Correct these %d mistakes; `abacus validate` checks again."
                  .formatted(e.problems().size()));
    }
  }

  /** The line of a mistake, and a caret below the key or value that it concerns. */
  private static String excerpt(InvalidTextException.Problem problem, List<String> lines) {
    if (problem.line() < 1 || problem.line() > lines.size()) {
      return "";
    }
    String line = lines.get(problem.line() - 1).stripTrailing();
    String key = problem.path().replaceFirst(".*\\.", "").replaceFirst("\\[\\d+]$", "").strip();
    int column = key.isEmpty() ? -1 : line.indexOf(key);
    if (column < 0) {
      column = line.length() - line.stripLeading().length();
    }
    String caret = line.substring(0, column).replaceAll("[^\t]", " ") + "^";
    return "%n  %s%n  %s".formatted(line, caret);
  }

  /**
   * Checks the topics that a program names.
   *
   * @param others programs in force
   * @throws CommandFailure with the first mistake
   */
  public static void checkTopics(Program program, Collection<Program> others, KafkaNames names) {
    String mistake = TopicCheck.mistake(program, others, names);
    if (mistake != null) {
      throw CommandFailure.invalid(mistake, "Name other topics in the program.");
    }
  }

  /**
   * Reads a file.
   *
   * @throws CommandFailure if it cannot be read
   */
  public static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw CommandFailure.invalid("no such file: " + file, "Check the path.");
    } catch (CharacterCodingException e) {
      throw CommandFailure.invalid(file + " is not UTF-8 text", "Save it as UTF-8.");
    } catch (IOException e) {
      throw CommandFailure.invalid(
          "%s cannot be read: %s".formatted(file, e.getMessage()), "Check the path.");
    }
  }
}
