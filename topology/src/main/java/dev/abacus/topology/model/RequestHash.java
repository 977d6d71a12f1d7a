package dev.abacus.topology.model;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The identity of a request: SHA-256 over everything that determines its answer. */
public final class RequestHash {

  /** Changes when the fields below do, so that hashes of old do not match new requests. */
  private static final int VERSION = 1;

  private RequestHash() {}

  /** 64 lower-case hexadecimal digits. The timeout has no part in it. */
  public static String of(ModelRequest request) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(VERSION);
      write(out, request.model());
      write(out, request.system());
      out.writeInt(request.content().size());
      for (Content part : request.content()) {
        write(out, part);
      }
      ResponseSchema schema = request.responseSchema();
      write(out, schema == null ? null : schema.name());
      write(out, schema == null ? null : schema.schema().toString());
      out.writeDouble(request.temperature());
      out.writeInt(request.maxOutputTokens() == null ? -1 : request.maxOutputTokens());
      out.writeBoolean(request.logprobs());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return of(bytes.toByteArray());
  }

  /** SHA-256 of a text in UTF-8: 64 lower-case hexadecimal digits. */
  public static String of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String of(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static void write(DataOutputStream out, Content part) throws IOException {
    switch (part) {
      case Content.Text(String text) -> {
        out.writeByte(1);
        write(out, text);
      }
      case Content.ImageReference(String uri) -> {
        out.writeByte(2);
        write(out, uri);
      }
      case Content.ImageBytes(String mediaType, String base64) -> {
        out.writeByte(3);
        write(out, mediaType);
        write(out, base64);
      }
    }
  }

  /** With its length first, so that no two different requests give the same bytes. */
  private static void write(DataOutputStream out, @Nullable String text) throws IOException {
    if (text == null) {
      out.writeInt(-1);
      return;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }
}
