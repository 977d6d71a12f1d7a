package dev.abacus.deploy.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.ProgramParser;
import dev.abacus.schemas.text.InvalidTextException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code abacus validate}. */
@Command(
    name = "validate",
    description = "Check a program; every mistake is told with its line.",
    footer = {"%nExample:", "  abacus validate deploy/examples/support-triage/program.yaml"})
final class ValidateCommand implements Callable<Integer> {

  @Parameters(paramLabel = "PROGRAM.yaml", description = "YAML or JSON.")
  private Path file = Path.of("");

  @Mixin private ProgramOptions programs = new ProgramOptions();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    if (output.json()) {
      return callJson();
    }
    Program program = programs.read(file);
    output.line(
        "%s is valid: program %s, %d operators (%d semantic), %s"
            .formatted(
                file,
                program.name(),
                program.operators().size(),
                program.semanticOperators().size(),
                program.objective()));
    return ExitCode.OK;
  }

  private Integer callJson() {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    try {
      Program program = new ProgramParser(programs.catalogue()).parse(ProgramOptions.text(file));
      answer.put("valid", true).put("program", program.name()).putArray("problems");
      output.value(answer);
      return ExitCode.OK;
    } catch (InvalidTextException e) {
      var problems = answer.put("valid", false).putArray("problems");
      e.problems()
          .forEach(problem ->
              problems
                  .addObject()
                  .put("line", problem.line())
                  .put("path", problem.path())
                  .put("message", problem.message()));
      output.value(answer);
      return ExitCode.USAGE;
    }
  }
}
