package dev.abacus.schemas.monitor;

import dev.abacus.schemas.kafka.RecordPosition;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The context of the log messages of a thread (SLF4J's MDC): what they are about. Closing restores
 * the former context.
 */
public final class LogContext implements AutoCloseable {

  /** Name of the program. */
  public static final String PROGRAM = "program";

  /** Epoch of the plan that processes the document. */
  public static final String EPOCH = "epoch";

  /** Position of the document in its topic, as topic-partition@offset. */
  public static final String DOCUMENT = "document";

  private static final int LONGEST = 500;

  private record Former(String key, @Nullable String value) {}

  private final Deque<Former> former = new ArrayDeque<>();

  private LogContext() {}

  /** Messages of this thread are about a program. */
  public static LogContext ofProgram(String program) {
    return new LogContext().with(PROGRAM, program);
  }

  /** Messages of this thread are about a document of a program. */
  public static LogContext ofDocument(
      String program, long epoch, String topic, int partition, long offset) {
    return ofProgram(program)
        .with(EPOCH, String.valueOf(epoch))
        .with(DOCUMENT, new RecordPosition(topic, partition, offset).toString());
  }

  private LogContext with(String key, String value) {
    former.push(new Former(key, MDC.get(key)));
    MDC.put(key, value);
    return this;
  }

  @Override
  public void close() {
    while (!former.isEmpty()) {
      Former one = former.pop();
      if (one.value() == null) {
        MDC.remove(one.key());
      } else {
        MDC.put(one.key(), one.value());
      }
    }
  }

  /**
   * A text of a document or of a provider as it may stand in a message: at most 500 characters,
   * control characters as spaces.
   */
  public static String shortened(@Nullable String text) {
    String given = String.valueOf(text);
    boolean isLong = given.length() > LONGEST;
    String cut = isLong ? given.substring(0, LONGEST) : given;
    String line = cut.replaceAll("\\p{Cntrl}+", " ");
    return isLong ? "%s… (%d characters)".formatted(line, given.length()) : line;
  }
}
