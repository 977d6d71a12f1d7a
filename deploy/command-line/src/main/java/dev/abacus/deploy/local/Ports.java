package dev.abacus.deploy.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports of the loopback interface that nobody listened on a moment ago. */
public final class Ports {

  private Ports() {}

  /** A free port. */
  public static int free() {
    return free(1).getFirst();
  }

  /**
   * Different free ports; all are held until the last is found, so that none is handed out twice.
   */
  public static List<Integer> free(int count) {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
      for (ServerSocket socket : sockets) {
        socket.close();
      }
      return ports;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The port itself; asked before a service spends seconds on finding out. */
  static int requireFree(int port, String service) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new LocalServiceException(
          "The port %d of %s is taken (%s). Stop who listens there, or choose another."
              .formatted(port, service, e.getMessage()),
          e);
    }
  }
}
