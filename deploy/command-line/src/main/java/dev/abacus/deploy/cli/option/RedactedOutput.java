package dev.abacus.deploy.cli.option;

import dev.abacus.schemas.secret.Redactor;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Removes the secrets of the configuration from standard output and standard error, whatever writes
 * there: logs, messages and stack traces. Works by lines.
 */
public final class RedactedOutput extends OutputStream {

  private static final AtomicReference<Redactor> SECRETS = new AtomicReference<>(Redactor.NONE);

  private static final RedactedOutput OUT =
      new RedactedOutput(new FileOutputStream(FileDescriptor.out));

  private final OutputStream target;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private @Nullable IOException failure;

  RedactedOutput(OutputStream target) {
    this.target = target;
  }

  /** Replaces the streams of the process. Call it before anything is logged. */
  public static void install() {
    System.setOut(new PrintStream(OUT, true, System.out.charset()));
    System.setErr(new PrintStream(new RedactedOutput(System.err), true, System.err.charset()));
  }

  /** Why lines of standard output are missing, such as a full disk; null if none is. */
  public static @Nullable String missingLines() {
    return OUT.missing();
  }

  /** A pipe whose reader has enough, as {@code head} does, misses nothing. */
  synchronized @Nullable String missing() {
    String message = failure == null ? null : String.valueOf(failure.getMessage());
    return message == null || message.contains("Broken pipe") ? null : message;
  }

  /** Adds secrets. */
  public static void know(Redactor secrets) {
    var _ = SECRETS.accumulateAndGet(secrets, Redactor::and);
  }

  @Override
  public synchronized void write(int one) throws IOException {
    line.write(one);
    if (one == '\n') {
      flush();
    }
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
    line.write(bytes, offset, length);
    if (length > 0 && bytes[offset + length - 1] == '\n') {
      flush();
    }
  }

  /** Writes what there is, even if the line is not complete: a prompt or a progress display. */
  @Override
  public synchronized void flush() throws IOException {
    try {
      if (line.size() > 0) {
        byte[] bytes = line.toByteArray();
        line.reset();
        byte[] redacted = Objects.requireNonNull(SECRETS.get()).redact(bytes);
        target.write(redacted, 0, redacted.length);
      }
      target.flush();
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }
}
