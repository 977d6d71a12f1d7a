package dev.abacus.deploy.cli.option;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.job.ExampleFile;
import dev.abacus.deploy.job.InputDocument;
import dev.abacus.deploy.job.JobInput;
import dev.abacus.deploy.job.MissingFields;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.io.NameSuggestions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the input files of a program. */
public final class InputFiles {

  private static final Pattern NAMED = Pattern.compile("([A-Za-z0-9._-]+)=(.+)");

  @Option(
      names = "--documents",
      paramLabel = "[SOURCE=]F.jsonl",
      description =
          "Documents, one JSON object per line or a .csv file with a header, each with the "
              + "source's key field. Repeat it with source names if the program has several "
              + "sources.")
  private List<String> documents = List.of();

  @Option(
      names = "--validation",
      paramLabel = "V.jsonl",
      description = "Validation examples for the search.")
  private @Nullable Path validation;

  @Option(
      names = "--reference",
      paramLabel = "NAME=F.jsonl",
      description = "Items of a reference, one JSON object per line; may be repeated.")
  private List<String> references = List.of();

  /** The first file of documents. */
  public Path firstDocuments() {
    Matcher named = NAMED.matcher(documents.getFirst());
    return Path.of(named.matches() ? named.group(2) : documents.getFirst());
  }

  /**
   * Reads all files.
   *
   * @throws CommandFailure if a name is not a source or reference of the program
   * @throws dev.abacus.deploy.file.InvalidFileException if a line is invalid
   */
  public JobInput read(Program program) {
    Map<String, ObjectNode> examples =
        validation == null ? Map.of() : ExampleFile.read(validation, program);
    JobInput input = new JobInput(references(program), examples, documents(program));
    CommandFailure.require(
        input.documents().isEmpty()
            || input.documents().values().stream().anyMatch(list -> !list.isEmpty()),
        "there is no document in the files of --documents",
        "Name files with documents.");
    requireFields(program, input);
    return input;
  }

  /** Checks that documents have the fields that models and groups are made of. */
  private static void requireFields(Program program, JobInput input) {
    List<String> missing =
        MissingFields.of(program, input.documents()).stream()
            .filter(one -> !one.isOptional())
            .map(MissingFields.Missing::toString)
            .toList();
    CommandFailure.require(
        missing.isEmpty(),
        String.join("\n", missing),
        "Correct 'reads' in the program, or the documents.");
  }

  /** Remarks on documents that are valid, but perhaps not meant so. */
  public static List<String> remarks(Program program, JobInput input) {
    List<String> remarks = new ArrayList<>();
    MissingFields.of(program, input.documents()).forEach(one -> remarks.add(one.toString()));
    samples(program).ifPresent(remarks::add);
    input
        .documents()
        .forEach((source, documents) -> {
          Set<String> seen = new HashSet<>();
          List<String> repeated =
              documents.stream()
                  .map(InputDocument::key)
                  .filter(key -> !seen.add(key))
                  .distinct()
                  .toList();
          if (!repeated.isEmpty()) {
            remarks.add(
                "keys of '%s' that occur more than once: %d, such as '%s'; each document counts, in order"
                    .formatted(source, repeated.size(), repeated.getFirst()));
          }
        });
    return remarks;
  }

  /** Says so if operators share less than half of what they have without a number. */
  private static Optional<String> samples(Program program) {
    int operators = program.semanticOperators().size();
    int usual = operators * SampleBudget.SAMPLES_PER_OPERATOR;
    return operators > 1
            && program.sampleBudget() instanceof SampleBudget.Invocations budget
            && 2 * budget.samples() < usual
        ? Optional.of(
            ("a budget of %d samples for %d operators is about %d for each: some may be left with"
                    + " two, and their plan is a guess; `budget: { samples: %d }`, the default, would"
                    + " do")
                .formatted(budget.samples(), operators, budget.samples() / operators, usual))
        : Optional.empty();
  }

  private Map<String, List<InputDocument>> references(Program program) {
    List<String> names = program.references().stream().map(Reference::name).toList();
    Map<String, List<InputDocument>> items = new LinkedHashMap<>();
    for (String option : references) {
      Matcher named = NAMED.matcher(option);
      CommandFailure.require(
          named.matches(),
          "--reference " + option + " has no name",
          "Write --reference NAME=F.jsonl.");
      Reference reference = program.reference(named.group(1));
      if (reference == null) {
        throw unknown("reference", named.group(1), names);
      }
      putOnce(items, reference.name(), InputDocument.read(Path.of(named.group(2)), reference));
    }
    return items;
  }

  private Map<String, List<InputDocument>> documents(Program program) {
    List<String> names = program.sources().stream().map(Source::name).toList();
    Map<String, List<InputDocument>> bySource = new LinkedHashMap<>();
    for (String option : documents) {
      Matcher named = NAMED.matcher(option);
      String name = named.matches() ? named.group(1) : names.getFirst();
      CommandFailure.require(
          named.matches() || names.size() == 1,
          "the program has the sources %s, and --documents %s names none"
              .formatted(String.join(", ", names), option),
          "Write --documents SOURCE=F.jsonl, once for each source.");
      if (!names.contains(name)) {
        throw unknown("source", name, names);
      }
      Path file = Path.of(named.matches() ? named.group(2) : option);
      putOnce(bySource, name, InputDocument.read(file, program.source(name)));
    }
    return bySource;
  }

  private static void putOnce(
      Map<String, List<InputDocument>> map, String name, List<InputDocument> documents) {
    CommandFailure.require(
        map.put(name, documents) == null,
        "'" + name + "' is given two files",
        "Put what belongs to it into one.");
  }

  private static CommandFailure unknown(String kind, String name, List<String> names) {
    return CommandFailure.invalid(
        NameSuggestions.unknown(kind, name, names),
        names.isEmpty()
            ? "The program names no %s.".formatted(kind)
            : "The program has: %s.".formatted(String.join(", ", names)));
  }

  /**
   * Checks that every reference has a file. Call this for a new cluster, which has no items yet.
   *
   * @throws CommandFailure if a file is missing
   */
  public static void requireReferences(Program program, JobInput input) {
    for (Reference reference : program.references()) {
      CommandFailure.require(
          input.references().containsKey(reference.name()),
          "the program looks into the reference '%s', and nothing gives its items"
              .formatted(reference.name()),
          "Give --reference %s=F.jsonl.".formatted(reference.name()));
    }
  }

  /**
   * Checks that every source has a file of documents.
   *
   * @throws CommandFailure if a file is missing
   */
  public static void requireDocuments(Program program, JobInput input) {
    for (Source source : program.sources()) {
      CommandFailure.require(
          input.documents().containsKey(source.name()),
          "there are no documents for the source '%s'".formatted(source.name()),
          program.sources().size() == 1
              ? "Give --documents F.jsonl."
              : "Give --documents %s=F.jsonl; an empty file will do.".formatted(source.name()));
    }
  }
}
