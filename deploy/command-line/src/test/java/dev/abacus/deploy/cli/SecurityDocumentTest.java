package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.access.RequiredAcl;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code docs/security.md} has the least set of ACLs of each role, as the code checks it. */
class SecurityDocumentTest {

  private static final Path DOCUMENT = Path.of("../../docs/security.md");

  @Test
  void theTableOfEachRoleIsTheSetThatIsChecked() throws Exception {
    Program program = AclProgram.of("SOURCE", "REFERENCE", "RESULTS");
    List<String> lines = Files.readAllLines(DOCUMENT);
    List<String> wanted = new ArrayList<>();
    for (Role role : Role.values()) {
      wanted.add("### `%s`".formatted(role.commands().replace(", ", "`, `")));
      wanted.addAll(
          Stream.concat(
                  role.shared(KafkaNames.UNPREFIXED).stream(),
                  role.of(program, KafkaNames.UNPREFIXED).stream())
              .map(SecurityDocumentTest::row)
              .toList());
    }
    assertThat(
            lines.stream()
                .filter(line -> line.startsWith("### `") || line.startsWith("| `"))
                .toList())
        .containsExactlyElementsOf(wanted);
  }

  private static String row(RequiredAcl acl) {
    return "| `%s` | %s%s | %s | %s |"
        .formatted(
            acl.resource().name(),
            acl.typeName(),
            acl.isPrefix() ? ", prefixed" : "",
            String.join(", ", RequiredAcl.names(acl.operations())),
            String.join(", ", RequiredAcl.names(acl.occasional())));
  }

  @Test
  void everyCommandOfARoleExists() {
    CommandLine abacus = Abacus.commandLine();
    for (Role role : Role.values()) {
      for (String command : List.of(role.commands().split(", "))) {
        CommandLine found = abacus;
        for (String word : List.of(command.split(" "))) {
          if (!word.startsWith("--")) {
            assertThat(found.getSubcommands()).as(command).containsKey(word);
            found = Objects.requireNonNull(found.getSubcommands().get(word));
          }
        }
      }
    }
  }
}
