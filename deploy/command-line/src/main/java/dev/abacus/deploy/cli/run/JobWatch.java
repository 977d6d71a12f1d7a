package dev.abacus.deploy.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.report.Progress;
import dev.abacus.deploy.cli.report.SearchProgress;
import dev.abacus.deploy.cli.report.WaitLines;
import dev.abacus.deploy.job.Job;
import dev.abacus.deploy.job.JobSnapshot;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.ModelWait;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Waits for a job, shows its progress, and states what it waits for when nothing changes. Gives up
 * after a time without any change. Calls that wait for a model continue by themselves: it gives
 * them up only if the user states the time.
 */
final class JobWatch {

  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration STALL = Duration.ofSeconds(15);
  private static final Duration COUNTERS = Duration.ofSeconds(6);
  private static final Duration REMINDER = Duration.ofMinutes(1);

  private final Job job;
  private final Progress progress;
  private final StallTimer timer;
  private long lastComplaint;
  private long outageShown = System.nanoTime();

  /** When a wait of an instance for a model was stated last. */
  private final Map<String, Long> waitsShown = new HashMap<>();

  private boolean waited;
  private final Set<String> noticed = new HashSet<>();
  private volatile boolean stopped;

  /**
   * @param timer when it gives up
   */
  JobWatch(Job job, Progress progress, StallTimer timer) {
    this.job = job;
    this.progress = progress;
    this.timer = timer;
  }

  /** Lets the waiting thread give up. Called on any thread. */
  void stop() {
    stopped = true;
  }

  /**
   * Waits until a condition holds.
   *
   * @throws CommandFailure if the job is stopped, or if nothing changes for too long
   */
  void until(Predicate<JobSnapshot> reached) {
    timer.changed();
    while (!reached.test(job.snapshot())) {
      step();
    }
  }

  /** Waits until a condition holds or the time is over; returns whether it holds. */
  boolean within(Duration limit, Predicate<JobSnapshot> reached) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!reached.test(job.snapshot())) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      step();
    }
    return true;
  }

  /**
   * Waits until the outcome of every document is known and all results have arrived, then briefly
   * until the cost is complete.
   *
   * @throws CommandFailure if nothing changes for too long
   */
  void untilDone() {
    until(_ -> job.complete());
    job.beginDrain();
    until(_ -> job.isDrained());
    within(COUNTERS, _ -> job.countersAreComplete());
  }

  private void step() {
    if (job.poll(POLL) && !searchWaitsForModels(job.snapshot())) {
      timer.changed();
    }
    if (stopped) {
      throw CommandFailure.interrupted(
          "stopped by a signal",
          "What came back is in the files. Documents that are open continue on a cluster.");
    }
    JobSnapshot snapshot = job.snapshot();
    progress.show(snapshot);
    SearchProgress.notices(snapshot.search())
        .forEach((identity, notice) -> {
          if (noticed.add(identity)) {
            progress.note(notice);
          }
        });
    showWaits(snapshot);
    if (snapshot.activeEpoch() == null
        && snapshot.search() != null
        && SearchProgress.isStuck(snapshot.search())) {
      throw CommandFailure.failed(
          "no plan can be found: " + snapshot.search().path("message").asText(),
          "Check the validation examples, the models and their endpoint; then `abacus reoptimize`.");
    }
    boolean waits = !snapshot.waiting().isEmpty();
    if (!waits
        && snapshot.activeEpoch() == null
        && snapshot.search() != null
        && SearchProgress.waitsForAnOutage(snapshot.search())) {
      waits = true;
      showOutage(snapshot.search());
    }
    if (timer.isOver(waits)) {
      throw CommandFailure.failed(
          "nothing has changed for %d s; %s".formatted(timer.idle().toSeconds(), job.waitingFor()),
          "See `abacus status`; --patience makes this wait longer. What came back was kept.");
    }
    if (!waits
        && timer.idle().compareTo(STALL) > 0
        && System.nanoTime() - lastComplaint > STALL.toNanos()) {
      lastComplaint = System.nanoTime();
      if (!job.complete() || !job.isDrained()) {
        progress.note("still waiting: " + job.waitingFor());
      }
    }
  }

  /** The reports of a search that waits, for example for its judge, are not progress. */
  private static boolean searchWaitsForModels(JobSnapshot snapshot) {
    return snapshot.activeEpoch() == null
        && snapshot.search() != null
        && SearchProgress.waitsForModels(snapshot.search());
  }

  /** While no call is made because the search pauses, states that once a minute. */
  private void showOutage(JsonNode search) {
    if (System.nanoTime() - outageShown > REMINDER.toNanos()) {
      outageShown = System.nanoTime();
      progress.note("still waiting: search: " + SearchProgress.of(search, null));
    }
  }

  /** States which models calls wait for: each at once when it is new, and then once a minute. */
  private void showWaits(JobSnapshot snapshot) {
    long now = System.nanoTime();
    boolean anyWaits = false;
    for (InstanceStatus instance : snapshot.waiting()) {
      for (int i = 0; i < instance.waits().size(); i++) {
        ModelWait wait = instance.waits().get(i);
        anyWaits = true;
        String identity = instance.instance() + "/" + wait.model() + "/" + wait.cause();
        Long shown = waitsShown.get(identity);
        if (shown == null || now - shown > REMINDER.toNanos()) {
          waitsShown.put(identity, now);
          progress.note(WaitLines.of(instance, Instant.now()).get(i));
        }
      }
    }
    if (!anyWaits && waited) {
      progress.note("no call waits for a model any more");
    }
    waited = anyWaits;
  }
}
