package dev.abacus.schemas.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogContextTest {

  @Test
  void textsOfDocumentsCannotForgeLinesAndAreCut() {
    assertThat(LogContext.shortened("a\r\nERROR forged\u001b[0m")).isEqualTo("a ERROR forged [0m");
    assertThat(LogContext.shortened("x".repeat(600)))
        .isEqualTo("x".repeat(500) + "… (600 characters)");
    assertThat(LogContext.shortened(null)).isEqualTo("null");
  }
}
