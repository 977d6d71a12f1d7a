package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.access.RoleAccess;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadHealth;
import dev.abacus.schemas.supervision.ThreadStatus;
import dev.abacus.schemas.supervision.UncaughtFailures;
import dev.abacus.schemas.value.RecordValues;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
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
public final class ControlPlane implements Runnable, AutoCloseable {

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
  private final ThreadHealth health;

  private final CountDownLatch closing = new CountDownLatch(1);
  private final CountDownLatch ready = new CountDownLatch(1);
  private volatile boolean ended;
  private volatile @Nullable Consumer<byte[], byte[]> consumer;
  private volatile @Nullable Leadership leadership;
  private volatile @Nullable RuntimeException failure;

  /** Creates a control plane; {@link #run} connects it. */
  public ControlPlane(KafkaSettings settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
    this.access = RoleAccess.of(Role.OPTIMIZER, settings.clientProperties());
    this.supervisor =
        new Supervisor(RestartPolicy.standard(ControlPlane::isOutage), clock, access::describe);
    this.health = supervisor.watchVital(THREAD);
    var _ = supervisor.failure().thenAccept(this::end);
    this.avro = AvroValues.connect(settings.clientProperties());
    this.decoder =
        new RecordDecoder(
            new ControlCodec(
                settings.loop().catalogue(), new RecordValues(avro), settings.examples().fewShot()),
            new ValueReader(new RecordValues(avro)));
  }

  /** Serves until {@link #close}, or until an error that {@link #failure} then returns. */
  @Override
  public void run() {
    try (UncaughtFailures _ = UncaughtFailures.reportTo(supervisor);
        Supervisor.SupervisedThread _ = supervisor.startAuxiliary("access", _ -> checkAccess());
        BacklogWatch backlog =
            new BacklogWatch(
                () -> Admin.create(settings.clientProperties()),
                settings.names(),
                () -> Clients.consumer(settings),
                state,
                clock);
        Supervisor.SupervisedThread _ = supervisor.startAuxiliary("backlog", _ -> backlog.step())) {
      while (!isClosing()) {
        try {
          serve();
        } catch (TopicsChangedException e) {
          LOG.info("{}; reads all topics again", e.getMessage());
        } catch (WakeupException e) {
          LOG.debug("Woken up by close");
        } catch (RuntimeException | Error e) {
          if (isFenced(e)) {
            LOG.warn("Another optimizer has taken over; this one stands by");
          } else {
            retry(e);
          }
        }
      }
    } finally {
      if (avro != null) {
        avro.close();
      }
      ended = true;
      ready.countDown();
    }
  }

  /** A missing ACL is named at once, not when the optimizer needs it. */
  private Duration checkAccess() throws InterruptedException {
    try (Admin admin = Admin.create(settings.clientProperties())) {
      access.watch(admin);
    }
    return ACCESS_INTERVAL;
  }

  /** A thread of the process cannot continue, which need not be the one of the control plane. */
  private void end(ThreadStatus failed) {
    if (failure == null) {
      failure = new IllegalStateException(failed.describe());
    }
    close();
  }

  private void retry(Throwable e) {
    Duration pause = health.failed(e);
    if (pause == null) {
      failure = new IllegalStateException(e.toString(), e);
      closing.countDown();
    } else {
      pause(pause);
    }
  }

  private static boolean isOutage(Throwable failure) {
    return failure instanceof KafkaException || failure instanceof RegistryUnavailableException;
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

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  private void pause(Duration pause) {
    try {
      if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.debug("Closed while waiting to retry");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closing.countDown();
    }
  }

  private void serve() {
    try (Clients clients = Clients.open(settings, access)) {
      clients.topics().createShared();
      try (Leadership election = new Leadership(settings)) {
        leadership = election;
        awaitLeadership(election);
        consumer = clients.consumer();
        if (!isClosing()) {
          LOG.info("This optimizer leads");
          lead(election, clients);
        }
      }
    } finally {
      state.stoodDown();
      consumer = null;
      leadership = null;
    }
  }

  private void awaitLeadership(Leadership election) {
    while (!isClosing() && !election.leads(STANDBY_POLL)) {
      if (election.standsBy()) {
        health.succeeded();
        if (ready.getCount() > 0) {
          LOG.info("Another optimizer leads; this one stands by");
        }
        ready.countDown();
      }
    }
  }

  private void lead(Leadership election, Clients clients) {
    StreamExamples streamExamples =
        new StreamExamples(
            settings, new ValueReader(new RecordValues(avro)), () -> Clients.consumer(settings));
    Session session =
        new Session(settings, clients, decoder, streamExamples, state, supervisor, clock);
    session.open();
    while (!isClosing() && election.leads(Duration.ZERO)) {
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

  /** The error that ended the control plane; null while it runs and after {@link #close}. */
  public @Nullable RuntimeException failure() {
    return failure;
  }

  /** Ends the control plane after the current turn. Returns at once. */
  @Override
  public void close() {
    closing.countDown();
    Leadership election = leadership;
    if (election != null) {
      election.wakeUp();
    }
    Consumer<byte[], byte[]> reader = consumer;
    if (reader != null) {
      reader.wakeup();
    }
  }
}
