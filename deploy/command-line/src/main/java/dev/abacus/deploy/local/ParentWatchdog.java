package dev.abacus.deploy.local;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another main class and ends this JVM when its standard input ends. The parent holds the
 * other end of that pipe; the operating system closes it when the parent ends, also after kill -9.
 * Depends on the JDK only, so that this class alone can be added to any class path.
 */
final class ParentWatchdog {

  private static final long EXIT_TIMEOUT_MILLIS = 5_000;

  private ParentWatchdog() {}

  /** The first argument is the main class to run, the rest are its arguments. */
  public static void main(String[] arguments) throws Throwable {
    Thread.ofPlatform().daemon().name("parent-watchdog").start(ParentWatchdog::watch);
    try {
      Class.forName(arguments[0])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @SuppressWarnings("SystemExitOutsideMain") // the purpose of this class
  private static void watch() {
    try {
      while (System.in.read() >= 0) {
        // The parent writes nothing: only the end of the stream matters.
      }
    } catch (IOException e) {
      // A broken pipe is an end too.
    }
    Thread.ofPlatform().daemon().start(ParentWatchdog::haltIfExitHangs);
    System.exit(0);
  }

  private static void haltIfExitHangs() {
    try {
      Thread.sleep(EXIT_TIMEOUT_MILLIS);
    } catch (InterruptedException e) {
      // Halt at once.
    }
    Runtime.getRuntime().halt(1);
  }
}
