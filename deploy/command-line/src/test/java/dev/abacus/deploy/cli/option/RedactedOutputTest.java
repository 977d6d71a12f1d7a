package dev.abacus.deploy.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RedactedOutputTest {

  private static @Nullable String missing(@Nullable String failure) {
    RedactedOutput output =
        new RedactedOutput(
            new OutputStream() {
              @Override
              public void write(int one) throws IOException {
                if (failure != null) {
                  throw new IOException(failure);
                }
              }
            });
    new PrintStream(output, true).println("line");
    return output.missing();
  }

  @Test
  void saysWhyLinesAreMissing() {
    assertThat(missing("No space left on device")).isEqualTo("No space left on device");
  }

  @Test
  void aReaderThatHasEnoughMissesNothing() {
    assertThat(missing("Broken pipe")).isNull();
    assertThat(missing(null)).isNull();
  }
}
