package dev.abacus.topology.model.openai;

import dev.abacus.schemas.file.FileReading;
import dev.abacus.topology.model.ModelAnswer.TokenLogprob;
import dev.langchain4j.model.openai.LogProb;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the log probabilities of an answer. A token may end inside a character of several bytes;
 * its text is then an escape such as {@code \\xc3}. Such tokens are joined to the first text that
 * is complete, with the sum of their log probabilities, so that the texts spell the answer.
 */
final class TokenLogprobs {

  private TokenLogprobs() {}

  static List<TokenLogprob> of(List<LogProb> tokens) {
    List<TokenLogprob> joined = new ArrayList<>();
    ByteArrayOutputStream open = new ByteArrayOutputStream();
    double sum = 0;
    for (LogProb token : tokens) {
      if (token.token() == null || token.logprob() == null) {
        continue;
      }
      sum += token.logprob();
      byte[] bytes = bytes(token);
      open.write(bytes, 0, bytes.length);
      String text = FileReading.utf8(open.toByteArray());
      if (text != null) {
        joined.add(new TokenLogprob(text, sum));
        open.reset();
        sum = 0;
      }
    }
    return joined;
  }

  /** The bytes of a token; servers other than OpenAI may omit them. */
  private static byte[] bytes(LogProb token) {
    List<Integer> stated = token.bytes();
    if (stated == null || stated.isEmpty()) {
      return token.token().getBytes(StandardCharsets.UTF_8);
    }
    byte[] bytes = new byte[stated.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = stated.get(i).byteValue();
    }
    return bytes;
  }
}
