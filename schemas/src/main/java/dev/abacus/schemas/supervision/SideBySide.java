package dev.abacus.schemas.supervision;

import java.util.Collection;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes parts that do not need each other at the same time, since each may wait for Kafka. */
public record SideBySide(Collection<? extends AutoCloseable> parts) implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SideBySide.class);

  /** Waits until all are closed; a failure is logged. */
  @Override
  public void close() {
    try (ExecutorService closing = Executors.newVirtualThreadPerTaskExecutor()) {
      parts.forEach(part -> closing.execute(() -> close(part)));
    }
  }

  private static void close(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) { // the others end all the same
      LOG.warn("{} is not closed in order", part.getClass().getSimpleName(), e);
    }
  }
}
