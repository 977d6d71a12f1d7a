package dev.abacus.deploy.local;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another main class, and ends this JVM when its standard input ends. The parent holds the
 * other end of that pipe, and the operating system closes it however the parent dies, kill -9
 * included. Depends on nothing but the JDK, so that it can be put on any class path alone.
 */
final class DieWithParent {

  private static final long PATIENCE_MILLIS = 5_000;

  private DieWithParent() {}

  /** The first argument is the main class to run, the rest are its arguments. */
  public static void main(String[] arguments) throws Throwable {
    Thread.ofPlatform().daemon().name("die-with-parent").start(DieWithParent::watch);
    try {
      Class.forName(arguments[0])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @SuppressWarnings("SystemExitOutsideMain") // ending the JVM is its purpose
  private static void watch() {
    try {
      while (System.in.read() >= 0) {
        // The parent writes nothing; what counts is the end.
      }
    } catch (IOException e) {
      // A broken pipe means the same.
    }
    Thread.ofPlatform().daemon().start(DieWithParent::haltIfExitHangs);
    System.exit(0);
  }

  private static void haltIfExitHangs() {
    try {
      Thread.sleep(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      // Then at once.
    }
    Runtime.getRuntime().halt(1);
  }
}
