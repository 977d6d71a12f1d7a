package dev.abacus.deploy.cli.option;

import dev.abacus.schemas.secret.Redactor;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Removes the secrets of the configuration from standard output and standard error, whatever writes
 * there: logs, messages and stack traces. Works by lines.
 */
public final class RedactedOutput extends OutputStream {

  private static final AtomicReference<Redactor> SECRETS = new AtomicReference<>(Redactor.NONE);

  private final PrintStream target;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  private RedactedOutput(PrintStream target) {
    this.target = target;
  }

  /** Replaces the streams of the process. Call it before anything is logged. */
  public static void install() {
    System.setOut(wrap(System.out));
    System.setErr(wrap(System.err));
  }

  private static PrintStream wrap(PrintStream target) {
    return new PrintStream(new RedactedOutput(target), true, target.charset());
  }

  /** Adds secrets. */
  public static void know(Redactor secrets) {
    var _ = SECRETS.accumulateAndGet(secrets, Redactor::and);
  }

  @Override
  public synchronized void write(int one) {
    line.write(one);
    if (one == '\n') {
      flush();
    }
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    line.write(bytes, offset, length);
    if (length > 0 && bytes[offset + length - 1] == '\n') {
      flush();
    }
  }

  /** Writes what there is, even if the line is not complete: a prompt or a progress display. */
  @Override
  public synchronized void flush() {
    if (line.size() > 0) {
      byte[] bytes = line.toByteArray();
      line.reset();
      byte[] redacted = SECRETS.get().redact(bytes);
      target.write(redacted, 0, redacted.length);
    }
    target.flush();
  }
}
