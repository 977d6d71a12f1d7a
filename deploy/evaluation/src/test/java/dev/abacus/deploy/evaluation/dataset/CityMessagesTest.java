package dev.abacus.deploy.evaluation.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.file.JsonLines;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.io.ProgramParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CityMessagesTest {

  @TempDir Path folder;

  @Test
  void messagesAreDifferentAndEachFilterDropsSome() throws Exception {
    CityMessages.of(1000, 1).writeTo(folder);
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(Files.readString(folder.resolve("program.yaml")));
    List<JsonLines.Line> answers = JsonLines.read(folder.resolve("answers.jsonl"));
    Set<String> texts = new HashSet<>();
    JsonLines.read(folder.resolve("documents.jsonl"))
        .forEach(line -> texts.add(line.object().get("text").asText()));
    assertThat(texts).hasSize(1000).noneMatch(text -> text.contains("{"));
    assertThat(program.operators()).hasSize(4);
    for (var operator : program.operators()) {
      String condition = ((SemanticFilter) operator).condition();
      long holds =
          answers.stream()
              .filter(line -> line.object().get("conditions").get(condition).asBoolean())
              .count();
      assertThat(holds).isBetween(560L, 830L);
    }
  }

  @Test
  void theSameSeedWritesTheSameMessages() throws Exception {
    CityMessages.of(20, 1).writeTo(folder);
    String first = Files.readString(folder.resolve("answers.jsonl"));
    CityMessages.of(20, 1).writeTo(folder);
    assertThat(Files.readString(folder.resolve("answers.jsonl"))).isEqualTo(first);
    CityMessages.of(20, 2).writeTo(folder);
    assertThat(Files.readString(folder.resolve("answers.jsonl"))).isNotEqualTo(first);
  }
}
