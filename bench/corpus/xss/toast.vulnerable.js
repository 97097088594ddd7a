class Toast {
  constructor(container) {
    this.container = container;
  }

  show(message, kind) {
    const node = document.createElement('div');
    node.className = 'toast toast-' + kind;
    node.innerHTML = '<p>' + message + '</p>'; // sink: xss
    this.container.appendChild(node);
    return node;
  }
}

module.exports = Toast;
