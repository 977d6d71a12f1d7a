package dev.abacus.deploy.cli.run;

import dev.abacus.deploy.cli.option.CommandFailure;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Handles the signals that stop a command: SIGINT (Ctrl-C) and SIGTERM (kill). The first signal
 * runs an action, so that the command ends by itself with its own exit code; the second one ends
 * the JVM at once.
 *
 * <p>Java has no supported API for signals, only the class {@code sun.misc.Signal} of the module
 * {@code jdk.unsupported}. The compiler warns of it; so this class uses it by reflection, as Kafka
 * does. Without it, a signal ends the JVM with the exit code 128 + its number.
 */
public final class Termination implements AutoCloseable {

  private static final List<String> SIGNALS = List.of("INT", "TERM");

  /** Time for stopping a server after a failure; then the JVM ends. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(60);

  /** What handles signals until the command does; null if nothing does. */
  private static final AtomicReference<@Nullable Termination> STARTING = new AtomicReference<>();

  /** Restores the former handlers. */
  private final List<Runnable> restore = new ArrayList<>();

  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean signalled;
  private volatile Runnable action;

  private Termination(Runnable action) {
    this.action = action;
  }

  /**
   * Ends the JVM with the exit code 0 at a signal, until the command handles signals itself. For a
   * server that has not started anything yet.
   */
  public static void endStartOnSignal() {
    STARTING.set(onSignal(() -> Runtime.getRuntime().halt(0)));
  }

  /** Runs an action at the first signal, until this is closed. */
  static Termination onSignal(Runnable action) {
    Termination starting = STARTING.getAndSet(null);
    if (starting != null) {
      starting.action = action;
      return starting;
    }
    Termination termination = new Termination(action);
    try {
      for (String name : SIGNALS) {
        termination.handle(name);
      }
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      termination.close(); // another JVM, or one that runs with -Xrs
    }
    return termination;
  }

  private void handle(String name) throws ReflectiveOperationException {
    Class<?> signalType = Class.forName("sun.misc.Signal");
    Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    Object signal = signalType.getConstructor(String.class).newInstance(name);
    Object handler =
        Proxy.newProxyInstance(
            Termination.class.getClassLoader(),
            new Class<?>[] {handlerType},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "handle" -> {
                    close();
                    signalled = true;
                    ended.countDown();
                    action.run();
                    yield null;
                  }
                  default -> method.invoke(this, arguments); // a method of Object
                });
    Object former =
        signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, handler);
    restore.add(() -> {
      try {
        signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, former);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  /** Notes the first signal, until this is closed. */
  static Termination onSignal() {
    return onSignal(() -> {});
  }

  /** Whether a signal has arrived. */
  boolean isSignalled() {
    return signalled;
  }

  /** Blocks until a signal arrives or this thread is interrupted. */
  static void await() {
    try (Termination stop = onSignal()) {
      stop.awaitEnd(new CompletableFuture<>());
    }
  }

  /**
   * Blocks until a signal arrives, this thread is interrupted, or a server cannot continue. In the
   * last case the JVM ends after {@link #CLOSE_TIMEOUT}.
   *
   * @param failure why the server cannot continue
   * @throws CommandFailure if it cannot, so that a supervisor starts it again
   */
  void awaitEnd(CompletableFuture<String> failure) {
    awaitEnd(failure, code -> haltAfter(CLOSE_TIMEOUT, code));
  }

  /**
   * As above.
   *
   * @param failing is called with the exit code before the failure is thrown
   */
  void awaitEnd(CompletableFuture<String> failure, IntConsumer failing) {
    var _ = failure.thenRun(ended::countDown);
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    String reason = failure.getNow(null);
    if (reason != null) {
      failing.accept(CommandFailure.CANNOT_CONTINUE);
      throw CommandFailure.ended(reason);
    }
  }

  /** Ends the JVM after some time, even if the orderly end does not succeed. */
  private static void haltAfter(Duration time, int exitCode) {
    Thread.ofPlatform()
        .daemon()
        .name("abacus-halt")
        .start(() -> {
          LockSupport.parkNanos(time.toNanos());
          Runtime.getRuntime().halt(exitCode);
        });
  }

  /** Restores the former handling of signals. */
  @Override
  public synchronized void close() {
    restore.forEach(Runnable::run);
    restore.clear();
  }
}
