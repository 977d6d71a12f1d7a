package dev.abacus.schemas.access;

import static dev.abacus.schemas.kafka.KafkaFutures.get;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the cluster which of the required operations it allows. Changes nothing: it validates the
 * creation of topics, removes a group member that does not exist, and describes a transaction.
 *
 * <p>Kafka does not tell everything. Of a topic that may not be described all operations count as
 * missing. Of a topic that does not exist only {@code Create} is known, of a transactional id only
 * {@code Describe}, which {@code Write} implies. Without an authorizer nothing is missing.
 */
final class AclCheck {

  /** A name that nothing has; below a prefix it stands for all of its resources. */
  private static final String PROBE = "acl-check";

  private final Admin admin;

  /** Names of the topics that may be described. */
  private final Set<String> topics;

  private AclCheck(Admin admin, Set<String> topics) {
    this.admin = admin;
    this.topics = topics;
  }

  /**
   * Returns what is missing, in the order of {@code required}.
   *
   * @throws KafkaException if the cluster does not answer
   */
  static List<RequiredAcl> missing(Admin admin, Collection<RequiredAcl> required)
      throws InterruptedException {
    AclCheck check =
        new AclCheck(
            admin, get(admin.listTopics(new ListTopicsOptions().listInternal(true)).names()));
    List<Question> questions = new ArrayList<>();
    required.stream()
        .filter(acl -> !acl.operations().isEmpty())
        .forEach(acl -> questions.add(check.ask(acl)));
    List<RequiredAcl> missing = new ArrayList<>();
    for (Question question : questions) {
      Set<AclOperation> operations = question.missing();
      if (!operations.isEmpty()) {
        missing.add(question.acl().withOperations(operations));
      }
    }
    return missing;
  }

  /** The requests about one resource, which are under way. */
  private record Question(
      RequiredAcl acl,
      Map<String, KafkaFuture<TopicDescription>> described,
      @Nullable KafkaFuture<Void> created,
      @Nullable KafkaFuture<?> used) {

    Set<AclOperation> missing() throws InterruptedException {
      Set<AclOperation> missing = EnumSet.noneOf(AclOperation.class);
      for (KafkaFuture<TopicDescription> topic : described.values()) {
        missing.addAll(missing(topic));
      }
      if (used != null && isDenied(used)) {
        missing.addAll(acl.operations());
      }
      return missing;
    }

    private Set<AclOperation> missing(KafkaFuture<TopicDescription> topic)
        throws InterruptedException {
      Set<AclOperation> missing = EnumSet.noneOf(AclOperation.class);
      missing.addAll(acl.operations());
      try {
        Set<AclOperation> allowed = get(topic).authorizedOperations();
        if (allowed == null || allowed.isEmpty()) {
          return Set.of(); // The broker does not tell.
        }
        missing.removeAll(allowed);
      } catch (UnknownTopicOrPartitionException e) {
        missing.clear();
        if (isDenied(created)) {
          missing.add(AclOperation.CREATE);
        }
      } catch (TopicAuthorizationException e) {
        if (acl.isPrefix() && !isDenied(created)) {
          missing.remove(AclOperation.CREATE);
        }
      }
      return missing;
    }
  }

  private Question ask(RequiredAcl acl) {
    String name = acl.resource().name();
    String probe = acl.isPrefix() ? name + PROBE : name;
    return switch (acl.resource().resourceType()) {
      case TOPIC -> {
        List<String> described = new ArrayList<>(List.of(probe));
        topics.stream()
            .filter(topic -> acl.isPrefix() && topic.startsWith(name))
            .forEach(described::add);
        yield new Question(acl, describe(described), creation(acl, probe), null);
      }
      case GROUP -> new Question(acl, Map.of(), null, groupUse(acl, probe));
      case TRANSACTIONAL_ID ->
          new Question(
              acl, Map.of(), null, admin.describeTransactions(List.of(probe)).description(probe));
      case UNKNOWN, ANY, CLUSTER, DELEGATION_TOKEN, USER ->
          throw new IllegalArgumentException("cannot check " + acl.describe());
    };
  }

  private Map<String, KafkaFuture<TopicDescription>> describe(Collection<String> names) {
    return new TreeMap<>(
        admin
            .describeTopics(names, new DescribeTopicsOptions().includeAuthorizedOperations(true))
            .topicNameValues());
  }

  /** Null if the role does not create topics. */
  private @Nullable KafkaFuture<Void> creation(RequiredAcl acl, String topic) {
    if (!acl.operations().contains(AclOperation.CREATE)
        && !acl.occasional().contains(AclOperation.CREATE)) {
      return null;
    }
    NewTopic wanted = new NewTopic(topic, Optional.empty(), Optional.empty());
    return admin
        .createTopics(List.of(wanted), new CreateTopicsOptions().validateOnly(true))
        .values()
        .get(topic);
  }

  /** A member that does not exist may be removed by whoever may read the group. */
  private KafkaFuture<?> groupUse(RequiredAcl acl, String group) {
    if (!acl.operations().contains(AclOperation.READ)) {
      return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata();
    }
    return admin
        .removeMembersFromConsumerGroup(
            group,
            new RemoveMembersFromConsumerGroupOptions(
                List.of(new MemberToRemove("abacus-" + PROBE))))
        .all();
  }

  /** Whether the access is denied; another failure does not matter here. */
  private static boolean isDenied(@Nullable KafkaFuture<?> future) throws InterruptedException {
    if (future == null) {
      return false;
    }
    try {
      var _ = get(future);
      return false;
    } catch (AuthorizationException e) {
      return true;
    } catch (KafkaException e) {
      return false;
    }
  }
}
