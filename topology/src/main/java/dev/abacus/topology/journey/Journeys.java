package dev.abacus.topology.journey;

import dev.abacus.schemas.journey.Journey;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.execution.PlanOutcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journeys of the documents of one program: of a share of all documents, and of all dead
 * letters, up to a number per minute. The share goes by the position of the source record, so it is
 * the same in all segments. Journeys are written after the commit, outside of the transaction; one
 * that cannot be written is lost and delays no document.
 *
 * <p>Thread-safe.
 */
public final class Journeys implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Journeys.class);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final JourneySettings settings;
  private final String program;
  private final Writer writer;
  private final ExecutorService thread;
  private final InstantSource clock;
  private Instant minute = Instant.MIN;
  private int written;

  /** Takes finished journeys. */
  public interface Writer extends AutoCloseable {

    /**
     * Writes a record.
     *
     * @throws InterruptedException if the thread is interrupted
     * @throws RuntimeException if the record is not written
     */
    void write(byte[] key, byte[] value) throws InterruptedException;

    @Override
    void close();
  }

  /**
   * The journeys of a program.
   *
   * @param thread runs the writer; may refuse work, which loses journeys; is shut down at the end
   */
  public Journeys(
      JourneySettings settings,
      String program,
      Writer writer,
      ExecutorService thread,
      InstantSource clock) {
    this.settings = settings;
    this.program = program;
    this.writer = writer;
    this.thread = thread;
    this.clock = clock;
  }

  /**
   * Writes the journey of a document if it is one of those that are wanted. Call it after the
   * commit.
   *
   * @param epoch epoch of the plan
   * @param resumed whether another task began the work
   */
  public void ended(
      JourneyRecorder journey,
      Envelope document,
      long epoch,
      boolean resumed,
      PlanOutcome outcome) {
    boolean wanted =
        outcome instanceof PlanOutcome.Failed || document.draw("journey") < settings.share();
    if (!wanted || !mayWrite()) {
      return;
    }
    try {
      thread.execute(() -> write(() -> journey(journey, document, epoch, resumed, outcome)));
    } catch (RejectedExecutionException e) {
      // The writer is slow or closed; journeys are samples.
    }
  }

  private synchronized boolean mayWrite() {
    Instant now = clock.instant();
    if (!now.isBefore(minute.plus(MINUTE))) {
      minute = now;
      written = 0;
    }
    return written++ < settings.perMinute();
  }

  private void write(Supplier<Journey> ended) {
    try {
      Journey journey = ended.get();
      writer.write(journey.source().getBytes(StandardCharsets.UTF_8), Json.write(journey));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | StackOverflowError e) {
      LOG.warn("Cannot write a journey of '{}': {}", program, e.toString());
    }
  }

  private Journey journey(
      JourneyRecorder journey,
      Envelope document,
      long epoch,
      boolean resumed,
      PlanOutcome outcome) {
    JourneyTexts texts = settings.texts();
    byte[] key = document.key();
    return new Journey(
        program,
        document.provenance().source(),
        key == null ? "" : texts.shown(new String(key, StandardCharsets.UTF_8)),
        epoch,
        settings.instance(),
        clock.instant(),
        resumed,
        texts.recorded() ? texts.shown(document.document().toJson().toString()) : "",
        journey.steps(texts),
        end(outcome, texts));
  }

  private static Journey.End end(PlanOutcome outcome, JourneyTexts texts) {
    return new Journey.End(
        switch (outcome) {
          case PlanOutcome.Result _ -> Journey.Outcome.KEPT;
          case PlanOutcome.Filtered _ -> Journey.Outcome.DROPPED;
          case PlanOutcome.Failed _ -> Journey.Outcome.FAILED;
        },
        Objects.requireNonNullElse(outcome.operator(), ""),
        outcome instanceof PlanOutcome.Failed failed ? texts.shown(failed.failure().message()) : "",
        outcome.stats().cost(),
        outcome.stats().latency());
  }

  /** Ends the thread and the writer; journeys that wait are lost. */
  @Override
  public void close() {
    thread.shutdownNow();
    writer.close();
  }
}
