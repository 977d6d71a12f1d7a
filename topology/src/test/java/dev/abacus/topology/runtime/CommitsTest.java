package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Counters count what was committed. */
class CommitsTest {

  private final Commits commits = Commits.ofTransactions();
  private final AtomicInteger results = new AtomicInteger();

  @Test
  void aResultCountsOnceWhenItsTransactionIsCommitted() {
    commits.after(results::incrementAndGet);
    assertThat(results).hasValue(0);
    commits.committed();
    commits.committed();
    assertThat(results).hasValue(1);
  }

  @Test
  void aResultOfAnAbortedTransactionDoesNotCount() {
    commits.after(results::incrementAndGet);
    commits.aborted();
    commits.after(results::incrementAndGet);
    commits.committed();
    assertThat(results).as("the document was processed again").hasValue(1);
  }

  @Test
  void theCommitOfAnotherStreamThreadDoesNotCount() throws InterruptedException {
    commits.after(results::incrementAndGet);
    Thread.ofPlatform().start(commits::committed).join();
    Thread.ofPlatform().start(commits::aborted).join();
    assertThat(results).hasValue(0);
    commits.committed();
    assertThat(results).hasValue(1);
  }
}
