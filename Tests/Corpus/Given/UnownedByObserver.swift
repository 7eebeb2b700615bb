// object: Song#1
// An observer makes a player with an unowned reference to the song that a notification brings, lets the owner drop
// the song, and plays.
import Foundation
final class Song { var notes = [1, 2]; @inline(never) func length() -> Int { notes.count } }
final class Player {
  unowned let song: Song
  init(_ song: Song) { self.song = song }
  @inline(never) func play() -> Int { song.length() }
}
final class Library {
  var song: Song? = Song()
  var token: NSObjectProtocol?
  @inline(never) func listen() {
    token = NotificationCenter.default.addObserver(forName: Notification.Name("play"), object: nil, queue: nil) {
      [unowned self] note in
      let player = Player(note.object as! Song)
      drop()
      print(player.play())
    }
  }
  @inline(never) func drop() { song = nil }
}
let library = Library()
library.listen()
NotificationCenter.default.post(name: Notification.Name("play"), object: library.song)
NotificationCenter.default.removeObserver(library.token!)
print("end")
