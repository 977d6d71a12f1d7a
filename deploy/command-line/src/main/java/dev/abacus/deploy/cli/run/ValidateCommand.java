package dev.abacus.deploy.cli.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.InputFiles;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.ProgramFile;
import dev.abacus.deploy.cli.option.ProgramOptions;
import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.deploy.job.InputDocument;
import dev.abacus.deploy.job.JobInput;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.TopK;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code abacus validate}. */
@Command(
    name = "validate",
    description = {
      "Check a program; reports every error with its line.",
      "Checks the given files too."
    },
    footer =
        "  abacus validate program.yaml --documents documents.jsonl --reference terms=terms.jsonl")
public final class ValidateCommand implements Callable<Integer> {

  @Mixin private ProgramFile file = new ProgramFile();

  @Mixin private InputFiles files = new InputFiles();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    if (output.json()) {
      return callJson();
    }
    Program program = file.read();
    ProgramOptions.checkTopics(program, List.of(), KafkaNames.UNPREFIXED);
    JobInput input = files.read(program);
    output.line(
        "%s is valid: program %s, %d operators (%d semantic), %s"
            .formatted(
                file.path(),
                program.name(),
                program.operators().size(),
                program.semanticOperators().size(),
                program.objective()));
    program.sources().stream()
        .filter(source -> source.redaction() != null)
        .map(source -> "source %s hides %s".formatted(source.name(), source.redaction()))
        .forEach(output::line);
    fits("documents of", input.documents());
    fits("items of", input.references());
    if (!input.examples().isEmpty()) {
      output.line("%d validation examples fit".formatted(input.examples().size()));
    }
    InputFiles.remarks(program, input).forEach(remark -> output.note("note: " + remark));
    unused(program)
        .forEach(
            name -> output.note("note: no operator looks into the reference '%s'".formatted(name)));
    return ExitCode.OK;
  }

  /** References that no operator uses. */
  private static List<String> unused(Program program) {
    List<String> used =
        program.operators().stream()
            .map(operator ->
                switch (operator) {
                  case TopK topK -> topK.from();
                  case ReferenceJoin join -> join.with();
                  case EntityResolution resolution -> resolution.with();
                  default -> "";
                })
            .toList();
    return program.references().stream()
        .map(Reference::name)
        .filter(name -> !used.contains(name))
        .toList();
  }

  private void fits(String what, Map<String, List<InputDocument>> byName) {
    byName.forEach(
        (name, documents) -> output.line("%d %s %s fit".formatted(documents.size(), what, name)));
  }

  private Integer callJson() {
    ObjectNode answer = JsonNodeFactory.instance.objectNode().put("valid", false);
    ArrayNode problems = answer.putArray("problems");
    int exit = ExitCode.USAGE;
    try {
      Program program = new ProgramParser(file.catalogue()).parse(ProgramOptions.text(file.path()));
      ProgramOptions.checkTopics(program, List.of(), KafkaNames.UNPREFIXED);
      files.read(program);
      answer.put("valid", true).put("program", program.name());
      unused(program).forEach(answer.putArray("unusedReferences")::add);
      exit = ExitCode.OK;
    } catch (InvalidTextException e) {
      e.problems().forEach(problem -> problems.add(Json.tree(problem)));
    } catch (InvalidFileException e) {
      for (InvalidFileException.Mistake mistake : e.mistakes()) {
        problems
            .addObject()
            .put("file", mistake.file().toString())
            .put("line", mistake.line())
            .put("message", mistake.toString());
      }
    } catch (CommandFailure e) {
      exit = e.exitCode();
      String.valueOf(e.getMessage())
          .lines()
          .forEach(line -> problems.addObject().put("message", line));
    }
    output.value(answer);
    return exit;
  }
}
