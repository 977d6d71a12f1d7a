package dev.abacus.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.access.RequiredAcl;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KafkaNamesTest {

  private static final KafkaNames TEAM = KafkaNames.of(Map.of("abacus.prefix", "team-a."));

  /** Names that belong to users. */
  private static final Set<String> OF_USER = Set.of("in", "items", "out");

  private static Program program(String validation) throws Exception {
    return new ProgramParser(ModelCatalogue.builtIn())
        .parse(
            """
            program: p
            sources: { s: { topic: in } }
            references: { r: { topic: items, key: id, embed: [t] } }
            operators:
              - filter: f
                condition: c
                reads: [t]
            results: { topic: out }
            %s
            """
                .formatted(validation));
  }

  @Test
  void allTopicsButThoseOfTheUserHaveThePrefix() throws Exception {
    Program program = program("");
    List<TopicSpec> specs =
        Stream.of(
                TopicSpec.shared(TEAM),
                List.of(TopicSpec.ofAnswers(TEAM), TopicSpec.ofJourneys(TEAM, program.name())),
                TopicSpec.of(TEAM, program, 1),
                List.of(TopicSpec.ofReference(TEAM, program, program.references().getFirst(), 1)))
            .flatMap(List::stream)
            .toList();
    assertThat(specs)
        .extracting(TopicSpec::name)
        .contains("team-a.p.validation", "out")
        .allMatch(name -> name.startsWith("team-a.") || OF_USER.contains(name));
  }

  @Test
  void aNamedValidationTopicBelongsToTheUser() throws Exception {
    assertThat(TEAM.validation(program("validation: { topic: examples }"))).isEqualTo("examples");
  }

  @Test
  void allAccessOfAllRolesIsBelowThePrefixOrToTopicsOfTheUser() throws Exception {
    Program program = program("");
    for (Role role : Role.values()) {
      assertThat(
              Stream.concat(role.shared(TEAM).stream(), role.of(program, TEAM).stream())
                  .map(RequiredAcl::resource)
                  .map(resource -> resource.name()))
          .as("%s", role)
          .allMatch(name -> name.startsWith("team-a.") || OF_USER.contains(name));
    }
  }

  @Test
  void topicsOfTheInstallationAreOwn() {
    assertThat(TEAM.isOwn("team-a.abacus.control")).isTrue();
    assertThat(TEAM.isOwn("abacus-p-pending-changelog")).isTrue();
    assertThat(TEAM.isOwn("team-b.abacus.control")).isFalse();
  }

  @Test
  void withoutASettingThereIsNoPrefix() {
    assertThat(KafkaNames.of(Map.of())).isEqualTo(KafkaNames.UNPREFIXED);
    assertThat(KafkaNames.UNPREFIXED.control()).isEqualTo("abacus.control");
    assertThat(KafkaNames.UNPREFIXED.sampleApplication("p")).isEqualTo("abacus-p-samples");
  }

  @Test
  void charactersThatKafkaRefusesAreRefused() {
    for (String prefix : List.of("team a", "é", "a/b", "x".repeat(61))) {
      assertThatThrownBy(() -> KafkaNames.of(Map.of("abacus.prefix", prefix)))
          .hasMessageContaining("abacus.prefix is '" + prefix + "'");
    }
  }

  /** A name that another file builds would have no prefix. */
  @Test
  void noOtherFileBuildsNames() throws IOException {
    Pattern name =
        Pattern.compile(
            "\"abacus\\.(?:control|rejections|status|learnt|spending|answers)\""
                + "|\"abacus-(?:%s|\" \\+ program)|\"replay-\""
                + "|\"\\.(?:samples|observations|receipts|dlq)\"\\)?;");
    List<Path> modules =
        List.of(
            Path.of("../schemas"),
            Path.of("../topology"),
            Path.of("../optimizer-service"),
            Path.of("../deploy/command-line"));
    for (Path module : modules) {
      try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          if (!file.endsWith("KafkaNames.java")) {
            assertThat(name.matcher(Files.readString(file)).results().map(each -> each.group()))
                .as("%s", file)
                .isEmpty();
          }
        }
      }
    }
  }
}
