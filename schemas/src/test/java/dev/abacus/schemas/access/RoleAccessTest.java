package dev.abacus.schemas.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.io.ProgramParser;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

class RoleAccessTest {

  private static RoleAccess access(Role role) {
    return RoleAccess.of(
        role,
        Map.of(
            "bootstrap.servers",
            List.of("b1:9092", "b2:9092"),
            "sasl.jaas.config",
            "ScramLoginModule required username=\"alice\" password=\"p\";"));
  }

  @Test
  void aFailureNamesTopicOperationsPrincipalAndCommand() {
    Throwable failure =
        new KafkaException(new TopicAuthorizationException(Set.of("abacus.status", "other")));
    assertThat(access(Role.WORKER).describe(failure))
        .contains("User:alice", "`worker`", "Read and Write on topic 'abacus.status'")
        .contains(
            "kafka-acls --bootstrap-server b1:9092,b2:9092 --add --allow-principal User:alice --operation Read --operation Write --topic abacus.status");
  }

  @Test
  void thePrefixOfTheConnectionIsPartOfAllOwnNames() {
    RoleAccess access =
        RoleAccess.of(
            Role.OPTIMIZER, Map.of("bootstrap.servers", "b:9092", "abacus.prefix", "team-a."));
    assertThat(access.describe(new TopicAuthorizationException(Set.of("team-a.abacus.status"))))
        .contains("--topic team-a.abacus.status");
    assertThat(access.describe(new TransactionalIdAuthorizationException("denied")))
        .contains("--transactional-id team-a.abacus-optimizer");
  }

  @Test
  void theTopicMayBeInTheMessageAlone() {
    var failure =
        new TopicAuthorizationException("Not authorized to access topics: [abacus.learnt]");
    assertThat(access(Role.OPTIMIZER).describe(failure)).contains("on topic 'abacus.learnt'");
  }

  @Test
  void groupAndTransactionalIdAreNamed() {
    RoleAccess optimizer = access(Role.OPTIMIZER);
    assertThat(optimizer.describe(GroupAuthorizationException.forGroupId("abacus-optimizer")))
        .contains("--operation Read --group abacus-optimizer");
    assertThat(optimizer.describe(new TransactionalIdAuthorizationException("denied")))
        .contains("--operation Write --transactional-id abacus-optimizer");
  }

  @Test
  void otherFailuresStayAsTheyAre() {
    Exception failure = new IllegalStateException("broken");
    assertThat(access(Role.WORKER).describe(failure)).isEqualTo(failure.toString());
  }

  @Test
  void whatWrapsAFailureDoesNotHideIt() {
    Exception wrapped = new IOException("No space left on device");
    assertThat(
            access(Role.WORKER)
                .describe(new KafkaException("cannot restore", new KafkaException(wrapped))))
        .isEqualTo(
            "org.apache.kafka.common.KafkaException: cannot restore;"
                + " cause: java.io.IOException: No space left on device");
    assertThat(access(Role.WORKER).describe(new KafkaException(wrapped)))
        .isEqualTo(
            "org.apache.kafka.common.KafkaException: java.io.IOException: No space left on device");
  }

  @Test
  void thePrincipalOfACertificateIsNotKnown() {
    RoleAccess access = RoleAccess.of(Role.WORKER, Map.of("bootstrap.servers", "b:9092"));
    assertThat(access.describe(new TopicAuthorizationException(Set.of("abacus.control"))))
        .contains("--allow-principal User:NAME ");
  }

  @Test
  void theCommandOfAPrefixSaysSo() {
    RequiredAcl acl =
        new RequiredAcl(
            new ResourcePattern(ResourceType.TOPIC, "abacus-p-", PatternType.PREFIXED),
            Set.of(AclOperation.ALTER_CONFIGS),
            Set.of());
    assertThat(acl.command("b:9092", "User:CN=worker,O=x"))
        .isEqualTo(
            "kafka-acls --bootstrap-server b:9092 --add --allow-principal 'User:CN=worker,O=x' --operation AlterConfigs --topic abacus-p- --resource-pattern-type prefixed");
  }

  @Test
  void everyCommandHasItsRole() {
    assertThat(Role.of("status")).isEqualTo(Role.STATUS);
    assertThat(Role.of("dlq replay")).isEqualTo(Role.REPLAY_DEAD_LETTERS);
  }

  @Test
  void aProgramMayReadTheDeadLettersOfAnother() throws Exception {
    ProgramParser parser = new ProgramParser(ModelCatalogue.builtIn());
    String text =
        """
        program: %s
        sources: { in: { topic: %s } }
        operators: [ { filter: keep, where: "doc.a > 1" } ]
        results: { topic: out }
        """;
    RoleAccess access = access(Role.OPTIMIZER);
    access.remember(
        List.of(
            parser.parse(text.formatted("a", "documents")),
            parser.parse(text.formatted("b", "a.dlq"))));
    assertThat(access.describe(new TopicAuthorizationException(Set.of("a.dlq"))))
        .contains("Read on topic 'a.dlq'");
  }
}
