package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.access.RoleAccess;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.kafka.ByteClients;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.SideBySide;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadHealth;
import dev.abacus.schemas.supervision.ThreadStatus;
import dev.abacus.schemas.supervision.UncaughtFailures;
import dev.abacus.schemas.value.RecordValues;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves all programs until it is closed. After a failure it tries again with the growing pauses of
 * a {@link Supervisor}, and a new {@link Session} reads all topics again. It ends if it fails too
 * often for another reason than an outage of a broker or of the schema registry. Of several control
 * planes one leads ({@link Leadership}) and the others stand by, so that no sample is paid for
 * twice. A leader that is fenced by the next one stands by again.
 */
public final class ControlPlane implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ControlPlane.class);
  private static final String THREAD = "optimizer";
  private static final Duration STANDBY_POLL = Duration.ofMillis(200);

  /** Interval at which the ACLs are checked, which may be taken away while the optimizer runs. */
  private static final Duration ACCESS_INTERVAL = Duration.ofSeconds(30);

  private final KafkaSettings settings;
  private final Clock clock;
  private final @Nullable AvroValues avro;
  private final RecordDecoder decoder;
  private final ControlPlaneState state = new ControlPlaneState();
  private final RoleAccess access;
  private final Supervisor supervisor;
  private final BacklogWatch backlog;
  private final RefusedPrograms refusals = new RefusedPrograms();

  /** Guarded by this. */
  private final Deque<Supervisor.SupervisedThread> threads = new ArrayDeque<>();

  /** Guarded by this. */
  private @Nullable UncaughtFailures uncaught;

  private final CountDownLatch ready = new CountDownLatch(1);
  private volatile boolean closing;
  private volatile boolean ended;
  private volatile @Nullable Consumer<byte[], byte[]> consumer;
  private volatile @Nullable Leadership leadership;

  /** Creates a control plane; {@link #start} connects it. */
  public ControlPlane(KafkaSettings settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
    this.access = RoleAccess.of(Role.OPTIMIZER, settings.clientProperties());
    this.supervisor =
        new Supervisor(
            RestartPolicy.standard(KafkaException.class::isInstance), clock, access::describe);
    this.backlog =
        new BacklogWatch(
            () -> Admin.create(settings.clientProperties()),
            settings.names(),
            () -> Clients.consumer(settings),
            state,
            clock);
    this.avro = AvroValues.connect(settings.clientProperties());
    this.decoder =
        new RecordDecoder(
            new ControlCodec(
                settings.loop().catalogue(), new RecordValues(avro), settings.examples().fewShot()),
            new ValueReader(new RecordValues(avro)));
  }

  /** Serves until {@link #close}, or until an error that completes {@link #failure}. */
  public synchronized void start() {
    uncaught = UncaughtFailures.reportTo(supervisor);
    threads.push(supervisor.startAuxiliary("access", _ -> checkAccess()));
    threads.push(supervisor.startAuxiliary("backlog", _ -> backlog.step()));
    threads.push(
        supervisor.start(
            THREAD, this::serve, new Supervisor.Resource(this::wakeUp, this::release)));
    // A thread that cannot continue need not be the one of the control plane.
    var _ = supervisor.failure().thenRunAsync(this::close);
  }

  /** A missing ACL is named at once, not when the optimizer needs it. */
  private Duration checkAccess() throws InterruptedException {
    try (Admin admin = Admin.create(settings.clientProperties())) {
      access.watch(admin, supervisor);
    }
    return ACCESS_INTERVAL;
  }

  private static boolean isFenced(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProducerFencedException
          || cause instanceof InvalidProducerEpochException) {
        return true;
      }
    }
    return false;
  }

  private Duration serve(ThreadHealth health) {
    try (Clients clients = Clients.open(settings, access)) {
      clients.topics().createShared();
      try (Leadership election = new Leadership(settings)) {
        leadership = election;
        awaitLeadership(election, health);
        consumer = clients.consumer();
        if (!closing) {
          LOG.info("This optimizer leads");
          lead(election, clients, health);
        }
      }
    } catch (TopicsChangedException e) {
      LOG.info("{}; reads all topics again", e.getMessage());
    } catch (RefusedRecordException e) {
      if (e.program() == null) {
        throw e;
      }
      String cause =
          RoleAccess.authorization(e) == null
              ? String.valueOf(e.getMessage())
              : access.describe(e).replaceAll("\\s*\\R\\s*", " ");
      LOG.warn("Nothing is decided for program '{}' for a while: {}", e.program(), cause);
      refusals.refused(e.program(), cause, clock.instant());
    } catch (WakeupException e) {
      LOG.debug("Woken up by close");
    } catch (RuntimeException e) {
      if (!isFenced(e)) {
        throw e;
      }
      LOG.warn("Another optimizer has taken over; this one stands by");
    } finally {
      state.stoodDown();
      consumer = null;
      leadership = null;
    }
    return Duration.ZERO;
  }

  private void awaitLeadership(Leadership election, ThreadHealth health) {
    while (!closing && !election.leads(STANDBY_POLL)) {
      if (election.standsBy()) {
        health.succeeded();
        if (ready.getCount() > 0) {
          LOG.info("Another optimizer leads; this one stands by");
        }
        ready.countDown();
      }
    }
  }

  private void lead(Leadership election, Clients clients, ThreadHealth health) {
    StreamExamples streamExamples =
        new StreamExamples(
            settings,
            new ValueReader(new RecordValues(avro)),
            () -> ByteClients.consumer(settings.sourceProperties()));
    Session session =
        new Session(settings, clients, decoder, streamExamples, state, supervisor, refusals, clock);
    session.open();
    while (!closing && election.leads(Duration.ZERO)) {
      session.turn();
      state.led();
      health.succeeded();
      if (session.isReady()) {
        ready.countDown();
      }
    }
  }

  /**
   * Waits until all programs are known, or until another control plane leads.
   *
   * @return false if {@code timeout} has passed or the control plane has ended
   * @throws InterruptedException if the waiting thread is interrupted
   */
  public boolean awaitReady(Duration timeout) throws InterruptedException {
    return ready.await(timeout.toMillis(), TimeUnit.MILLISECONDS) && !ended;
  }

  /** What other threads may see. */
  public ControlPlaneState state() {
    return state;
  }

  /** Whether all programs are known, or another control plane leads. */
  public boolean isReady() {
    return ready.getCount() == 0 && !ended;
  }

  /** The states of the long-lived threads. */
  public List<ThreadStatus> threads() {
    return supervisor.threads();
  }

  /** Whether nothing is served any more. */
  public boolean hasEnded() {
    return ended;
  }

  /** Completes with the failure of a thread that cannot continue; then this is closed. */
  public CompletableFuture<String> failure() {
    return supervisor.failure().thenApply(ThreadStatus::describe);
  }

  /** Ends the control plane after the current turn, which is interrupted if it takes long. */
  @Override
  public synchronized void close() {
    new SideBySide(threads).close();
    threads.clear();
    backlog.close();
    if (uncaught != null) {
      uncaught.close();
    }
  }

  private void wakeUp() {
    closing = true;
    Leadership election = leadership;
    if (election != null) {
      election.wakeUp();
    }
    Consumer<byte[], byte[]> reader = consumer;
    if (reader != null) {
      reader.wakeup();
    }
  }

  private void release() {
    if (avro != null) {
      avro.close();
    }
    ended = true;
    ready.countDown();
  }
}
