package dev.abacus.deploy.command;

import dev.abacus.schemas.program.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Names a program that is applied, or the file that it was applied from. */
final class ProgramName {

  @Parameters(
      index = "0",
      paramLabel = "PROGRAM",
      description = "Name of a program, or its YAML file.")
  private String given = "";

  @Mixin private ProgramOptions programs = new ProgramOptions();

  String name() {
    if (!given.matches("[a-z][a-z0-9-]*") || Files.isRegularFile(Path.of(given))) {
      Program program = programs.read(Path.of(given));
      return program.name();
    }
    return given;
  }

  ProgramOptions programs() {
    return programs;
  }
}
