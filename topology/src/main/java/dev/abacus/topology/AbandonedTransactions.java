package dev.abacus.topology;

import dev.abacus.schemas.kafka.KafkaFutures;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Aborts the transactions that dead processes of an application left open.
 *
 * <p>The next owner of a partition waits for the end of such a transaction: it must know the
 * committed offset and the end of the changelog. The broker aborts the transaction after {@code
 * transaction.timeout.ms}, and looks only every 10 s. But a process that is no longer a member of
 * the group cannot commit any more (KIP-447), so its transaction can be aborted at once. If the
 * process lives and joins the group again, its producer is fenced and it starts a new one.
 *
 * @param process the process id of this instance, whose producers fence their own predecessors
 */
record AbandonedTransactions(Admin admin, String application, String process) {

  private static final Logger LOG = LoggerFactory.getLogger(AbandonedTransactions.class);

  private static final Duration PAUSE = Duration.ofMillis(500);

  private static final String PROCESS =
      "([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})";

  /** Starts a thread that aborts such transactions during a rebalance. */
  void abortDuring(BooleanSupplier rebalance) {
    Thread.ofVirtual().name(application + "-abandoned-transactions").start(() -> follow(rebalance));
  }

  private void follow(BooleanSupplier rebalance) {
    try {
      while (rebalance.getAsBoolean()) {
        try {
          Set<String> aborted = abort();
          if (!aborted.isEmpty()) {
            LOG.info("Aborted the transactions of processes that have left the group: {}", aborted);
          }
        } catch (AuthorizationException | UnsupportedVersionException e) {
          LOG.warn("Cannot abort the transactions of dead processes of {}", application, e);
          return;
        } catch (KafkaException e) {
          // While a broker is away, the client fails in ways that it does not call retriable.
          LOG.debug("Looks again for transactions of dead processes of {}", application, e);
        }
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Aborts them once. Does nothing if the process of a member is unknown.
   *
   * @return the transactional ids
   */
  Set<String> abort() throws InterruptedException {
    // In this order: a live process with one of these transactions is still a member.
    Set<String> open = open();
    Set<String> members = open.isEmpty() ? null : members();
    if (members == null) {
      return Set.of();
    }
    open.removeIf(id -> members.contains(process(id)));
    if (!open.isEmpty()) {
      KafkaFutures.get(admin.fenceProducers(open).all());
    }
    return open;
  }

  /** The transactional ids of other processes with an open transaction. */
  private Set<String> open() throws InterruptedException {
    ListTransactionsOptions ongoing =
        new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING));
    return KafkaFutures.get(admin.listTransactions(ongoing).all()).stream()
        .map(TransactionListing::transactionalId)
        .filter(id -> process(id) != null && !process.equals(process(id)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * The process of a transactional id of Kafka Streams; null if the id is not of the application.
   */
  private @Nullable String process(String transactionalId) {
    return process(Pattern.quote(application) + "-" + PROCESS + "-\\d+", transactionalId);
  }

  /**
   * The process of a stream thread's name or of its clients; null if the user named the clients.
   */
  static @Nullable String processOf(String application, String thread) {
    return process(Pattern.quote(application) + "-" + PROCESS + "-StreamThread-.*", thread);
  }

  private static @Nullable String process(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    return matcher.matches() ? matcher.group(1) : null;
  }

  /** The processes of the members; null if one is unknown, because the user named the clients. */
  private @Nullable Set<String> members() throws InterruptedException {
    Set<String> processes = new HashSet<>();
    for (String client : StreamsGroups.clients(admin, application)) {
      String known = processOf(application, client);
      if (known == null) {
        return null;
      }
      processes.add(known);
    }
    return processes;
  }
}
